"""Every page runs, a URL alone restores a view, nonsense in it is harmless, and its format does not drift."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from numerics import relaxed
from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, Laplace, SampledMechanism, Sampling
from numerics.trade_off import Order
from pages.server import turns
from pages.server.turns import RUNS
from pages.ui import cached, catalog, release_controls, release_size
from pages.ui.address import spelled
from pages.ui.release_controls import ReleaseChoice
from pages.ui.release_presets import PRESETS, ReleasePreset
from tests.pages import picture
from tests.pages.visit import visited

ROOT = Path(__file__).parents[1]
PAGES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "pages").glob("*/page.py"))
SECONDS = 60  # a page's first run imports Plotly and computes certified curves on a busy machine

# Public formats: a key is a name in the URL, and a value equal to the default is left out of it.
DEFAULTS: dict[str, object] = {
    "knows_rate": False,
    "people": 60_000.0,
    "batch": 600.0,
    "epochs": 10.0,
    "noise": 1.0,
    "mechanism": "Gaussian",
    "dimension": None,
    "clip": None,
    "adjacency": Adjacency.ADD_REMOVE,
    "sampling": Sampling.POISSON,
    "order": Order.ADD,
    "delta": None,
    "phases": 1,
    "accused": 10.0,
    "limit": 20.0,
}
# Beside them where the visitor knows rate and steps, instead of people, batch and epochs.
RATE_AND_STEPS: dict[str, object] = {"rate": 0.01, "steps": 1000.0, "records": None}


def app_with_url(**query: str) -> AppTest:
    """The app as a visitor of ``/?query`` gets it; the home page is drawn, with the controls."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=SECONDS)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ({"noise_exact": "5000", "steps": "30"}, "noise = 5000."),
        ({"people": "-1", "batch": "many"}, "people = \\-1, batch = many."),
        ({"alpha": "2", "delta": "1"}, "delta = 1, accused = 20000."),
        ({"rate": "-1", "noise": "nan"}, "rate = \\-1, noise = nan."),
        ({"mechanism": "<b>Foo"}, "mechanism = \\<b\\>Foo."),
        ({"phases": "99", "delta": "0"}, "phases = 99, delta = 0."),
    ],
)
def test_what_an_address_cannot_have_is_named_once(query: dict[str, str], named: str) -> None:
    app = app_with_url(**query)
    (said,) = (toast.value for toast in app.toast)
    assert named in said
    assert not app.run().toast


def test_addresses_that_say_the_defaults_are_taken_as_they_are() -> None:
    assert not app_with_url(**{key: str(spelled(value)) for key, value in DEFAULTS.items() if value is not None}).toast
    assert not app_with_url(noise="2", steps="30", alpha_exact="", unknown="x").toast


def test_one_page_at_a_time_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, held = release_controls.draw, list[bool]()

    def draw(finds_people: bool) -> None:
        held.append(RUNS.held)
        drawn(finds_people)

    monkeypatch.setattr(release_controls, "draw", draw)
    app_with_url(noise="2")
    assert held == [True]
    with RUNS.turn(patience=0.0) as free:
        assert free


def test_a_first_home_has_no_rail_and_answers_for_what_it_would_say() -> None:
    first, later = app_with_url(), app_with_url(people="60000")
    assert not first.sidebar.number_input
    assert later.sidebar.number_input
    assert picture.sentence(first) == picture.sentence(later)


def test_the_rail_takes_every_dimension_that_can_be_computed() -> None:
    assert release_size.LARGEST_DIMENSION == relaxed.LARGEST_DIMENSION


def rail(**query: str) -> AppTest:
    """The rail for a URL, beside a page that hands out what the controls say."""
    app = AppTest.from_string(
        "import streamlit as st\n"
        "from pages.ui import old_addresses, release_controls\n"
        "old_addresses.translate()\n"
        "refusal = release_controls.draw()\n"
        "st.session_state['result'] = refusal or release_controls.current()\n",
        default_timeout=SECONDS,
    )
    return visited(app, query)


def choice_for(**query: str) -> ReleaseChoice:
    """What the controls say for a URL."""
    choice = rail(**query).session_state["result"]
    assert isinstance(choice, ReleaseChoice)
    return choice


@pytest.mark.parametrize("page", PAGES)
def test_page_runs(page: str) -> None:
    app = app_with_url().switch_page(page).run()
    assert not app.exception
    assert not app.error


def test_keys_and_defaults_of_the_url_are_pinned() -> None:
    state = app_with_url().session_state
    assert {key: state[key] for key in DEFAULTS} == DEFAULTS
    assert choice_for() == ReleaseChoice(Gaussian(1.0, 0.01, 1000), 1e-3, Order.ADD, 1e-5, 0.002, 60_000)
    state = app_with_url(knows_rate="true").session_state
    assert {key: state[key] for key in RATE_AND_STEPS} == RATE_AND_STEPS
    assert not any(key in state for key in ("people", "batch", "epochs"))


def test_labels_in_the_url_are_pinned() -> None:
    assert {"Gaussian", "Laplace", "Logistic"} <= {kind.name for kind in MECHANISMS}
    assert list(Adjacency) == ["add/remove", "replace-one"]
    assert list(Sampling) == ["Poisson", "fixed size"]
    assert list(Order) == ["add-one", "remove-one", "both"]


def test_url_seeds_every_control() -> None:
    choice = choice_for(
        mechanism="Laplace",
        people="1000",
        batch="50",
        epochs="1.5",
        noise="2.512",
        accused="200",
        adjacency="replace-one",
        order="both",
        limit="300",
        dimension="7",
        clip="0.5",
    )
    release = Laplace(2.512, 0.05, 30, Adjacency.REPLACE_ONE)
    assert choice == ReleaseChoice(release, 0.02, Order.SYMMETRIC, 1e-4, 0.03, 1000, 7, 0.5)


def test_rate_and_steps_in_the_url() -> None:
    known = {"knows_rate": "true", "rate": "0.08192", "steps": "30"}
    assert choice_for(**known) == ReleaseChoice(Gaussian(1.0, 0.08192, 30), 1e-3, Order.ADD, 1e-5)
    assert choice_for(**known, records="1000", delta="1e-7").delta == 1e-7
    assert choice_for(**known, records="1000") == ReleaseChoice(
        Gaussian(1.0, 0.08192, 30), 1e-3, Order.ADD, 1e-4, 0.002, 1000
    )


# What earlier versions wrote, and what it meant. Where nothing is said of N, it is the default run's, or not set.
OLD: list[tuple[dict[str, str], ReleaseChoice]] = [
    ({}, ReleaseChoice(Gaussian(1.0, 0.01, 1000), 1e-3, Order.ADD, 1e-5, records=60_000)),
    (
        {"mechanism": "Laplace", "noise": "2.5", "rate": "0.05", "steps": "30", "alpha": "0.02", "delta": "1e-07"},
        ReleaseChoice(Laplace(2.5, 0.05, 30), 0.02, Order.ADD, 1e-7),
    ),
    (
        {"noise": "2.5", "noise_exact": "10.5", "rate_exact": "0.08192", "alpha_exact": "0.0123", "order": "both"},
        ReleaseChoice(Gaussian(10.5, 0.08192, 1000), 0.0123, Order.SYMMETRIC, 1e-5),
    ),
    ({"steps": "30"}, ReleaseChoice(Gaussian(1.0, 0.01, 30), 1e-3, Order.ADD, 1e-5)),
    ({"records": "1000"}, ReleaseChoice(Gaussian(1.0, 0.01, 1000), 1e-3, Order.ADD, 1e-5, records=1000)),
    (
        {"records": "1000", "delta": "1e-6", "alpha": "1e-09", "dimension": "30"},
        ReleaseChoice(Gaussian(1.0, 0.01, 1000), 1e-9, Order.ADD, 1e-6, records=1000, dimension=30),
    ),
    ({"alpha": "0.07"}, ReleaseChoice(Gaussian(1.0, 0.01, 1000), 0.07, Order.ADD, 1e-5, records=60_000)),
    (
        {"phases": "2", "noise_2": "2", "steps_2": "10"},
        ReleaseChoice(
            Composition((Gaussian(1.0, 0.01, 1000), Gaussian(2.0, 0.01, 10))), 1e-3, Order.ADD, 1e-5, records=60_000
        ),
    ),
]


@pytest.mark.parametrize(("query", "meant"), OLD, ids=str)
def test_old_addresses_open_the_same_view(query: dict[str, str], meant: ReleaseChoice) -> None:
    assert choice_for(**query) == meant
    assert not app_with_url(**query).toast


def test_phases_in_the_url() -> None:
    choice = choice_for(phases="3", noise_2="2", steps_2="10", rate_3="1", steps_3="5")
    later = Gaussian(2.0, 0.01, 10), Gaussian(1.0, 1.0, 5)
    assert choice.mechanism == Composition((Gaussian(1.0, 0.01, 1000), *later))


# Controls that are drawn together; later phases are there from two phases on.
TOGETHER = {
    "run": [key for key in DEFAULTS if key != "phases"],
    "rate and steps": [*RATE_AND_STEPS, "noise"],
    "old exact values": ["noise_exact", "rate_exact", "alpha_exact"],
    "later phases": ["noise_2", "rate_2", "steps_2"],
    "phases": ["phases"],
}


@pytest.mark.parametrize("keys", TOGETHER.values(), ids=TOGETHER)
@pytest.mark.parametrize(
    "nonsense", ["-3", "0", "nan", "inf", "abc", "1e400", "", "١", "None", "<b>", "1" * 400, "0.5;1"]
)
def test_nonsense_in_the_url_never_breaks_a_page(keys: list[str], nonsense: str) -> None:
    """It means the default, or, where it happens to be a number in range, that number."""
    choice = choice_for(**({"phases": "2"} | dict.fromkeys(keys, nonsense)))
    assert choice.mechanism.assumptions
    assert 0.0 < choice.alpha < 1.0
    assert 0.0 < choice.delta < 1.0


@pytest.mark.parametrize("nonsense", ["-3", "nan", "abc", "1e19", ""])
def test_nonsense_in_the_url_means_the_default(nonsense: str) -> None:
    asked = dict.fromkeys(("noise", "people", "batch", "delta", "accused"), nonsense)
    assert choice_for(**asked) == choice_for()


@pytest.mark.parametrize(
    ("limit", "share"), [("20", 0.002), ("0.5", 5e-5), ("10000", 1.0), ("-1", 0.002), ("nan", 0.002)]
)
def test_the_limit_is_a_share_of_the_people(limit: str, share: float) -> None:
    assert choice_for(limit=limit).limit == share


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"limit": "20"}, "Blind guessing finds 10 of 10,000."),
        ({"limit": "10"}, "Blind guessing finds 10 of 10,000: no noise keeps this limit."),
        ({"accused": "100"}, "Blind guessing finds 100 of 10,000: no noise keeps this limit."),
        ({"accused": "0.001"}, "Blind guessing finds 0.001 of 10,000."),
    ],
)
def test_a_limit_below_blind_guessing_is_said_and_not_raised(query: dict[str, str], said: str) -> None:
    app = app_with_url(**query)
    assert said in [caption.value for caption in app.sidebar.caption]
    assert app.number_input(key="limit").value == float(query.get("limit", 20))


@pytest.mark.parametrize("kind", ["epsilon", "advantage", "members found"])
def test_an_address_that_says_the_kind_of_limit_opens_the_same_view(kind: str) -> None:
    app = app_with_url(limit=kind)
    assert app.query_params["keep"] == kind
    assert app.session_state["limit"] == 20.0
    assert not app.toast


@pytest.mark.parametrize(
    ("query", "spelled"),
    [
        ({"goal_reconstruction": "0.02"}, {"guess_limit": "200"}),
        (
            {"goal_reconstruction": "0.02", "more": "solve for"},
            {"guess_limit": "200", "more": "what the limit allows"},
        ),
        ({"more": "solve for"}, {"guess_limit": "500", "more": "what the limit allows"}),
        ({"goal_reconstruction": "x"}, {}),
        ({"across": "ε"}, {"across": "ε", "more": "other noise"}),
        ({"across": "ε", "more": "methods compared"}, {"across": "ε", "more": "methods compared"}),
        (
            {"guess_limit": "30", "more": "what the limit allows"},
            {"guess_limit": "30", "more": "what the limit allows"},
        ),
    ],
)
def test_old_addresses_about_reconstruction_are_spelled_anew(query: dict[str, str], spelled: dict[str, str]) -> None:
    found = app_with_url(**query).query_params
    keys = ("guess_limit", "goal_reconstruction", "more", "across")
    assert {key: "".join(found[key]) for key in keys if key in found} == spelled


@pytest.mark.parametrize(
    ("before", "after"), [("0.02", "200"), ("0.0015", "15"), ("200", "200"), ("-1", "-1"), ("x", "x")]
)
@pytest.mark.parametrize("key", ["stat_found", "stat_advantage"])
def test_old_addresses_of_shares_are_counts_of_people(key: str, before: str, after: str) -> None:
    assert "".join(app_with_url(**{key: before}).query_params[key]) == after


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_preset_sets_every_control(preset: ReleasePreset) -> None:
    app = rail(noise="3.21", phases="2", adjacency="replace-one", mechanism="Laplace", clip="3", dimension="9")
    next(button for button in app.button if button.label == preset.name).click().run()
    assert not app.exception
    assert app.session_state["result"] == ReleaseChoice(
        preset.mechanism, 1e-3, Order.ADD, preset.delta, 0.002, preset.records, preset.dimension, preset.clip
    )
    assert app.session_state["knows_rate"] == (preset.records is None)


def test_the_buttons_of_presets_fold_away_once_one_is_used() -> None:
    app = rail()
    app.session_state["presets"] = True
    next(button for button in app.run().button if button.label == PRESETS[1].name).click().run()
    assert not app.session_state["presets"]
    assert PRESETS[1].name not in {button.label for button in app.button}


@pytest.mark.parametrize("chosen", list(Adjacency))
def test_neighbours_that_cannot_be_chosen_are_shown_and_the_choice_comes_back(chosen: Adjacency) -> None:
    app = rail(adjacency=chosen)
    app.selectbox(key="sampling").set_value(Sampling.FIXED_SIZE).run()
    neighbours = app.selectbox(key="adjacency")
    assert (neighbours.value, neighbours.disabled) == (Adjacency.REPLACE_ONE, True)
    assert "compare it with Poisson under replace-one" in " ".join(one.value for one in app.caption)
    app.selectbox(key="sampling").set_value(Sampling.POISSON).run()
    neighbours = app.selectbox(key="adjacency")
    assert (neighbours.value, neighbours.disabled) == (chosen, False)
    assert app.session_state["result"].mechanism.adjacency is chosen


def test_neighbours_that_an_address_leaves_out_are_those_of_its_sampling() -> None:
    app = rail(sampling="fixed size")
    assert app.selectbox(key="adjacency").value == Adjacency.REPLACE_ONE
    assert "".join(app.query_params["adjacency"]) == "replace-one"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({}, "Gaussian noise 1, 60,000 people in batches of 600, 10 epochs"),
        ({"epochs": "1", "noise": "2.5", "mechanism": "Laplace"},
         "Laplace noise 2.5, 60,000 people in batches of 600, 1 epoch"),
        ({"sampling": "fixed size"},
         "Gaussian noise 1, 60,000 people in batches of 600, 10 epochs, batches of fixed size"),
        ({"knows_rate": "true", "records": "60000"}, "Gaussian, noise 1, rate 0.01, 1,000 steps"),
        ({"phases": "2"}, "Gaussian, noise 1, rate 0.01, 1,000 steps; then Gaussian, noise 1, rate 0.01, 1,000 steps"),
    ],
    ids=str,
)  # fmt: skip
def test_a_release_is_said_in_the_words_it_was_entered_in(query: dict[str, str], words: str) -> None:
    assert choice_for(**query).words == words


SAID = [
    ({}, "That is a rate of 0.01 and 1,000 steps."),
    ({"people": "60000", "batch": "256", "epochs": "60"}, "That is a rate of 0.00427 and 14,063 steps."),
    ({"batch": "60000", "epochs": "1"}, "That is a rate of 1 and 1 step."),
    ({"knows_rate": "true"}, "That is 10 epochs."),
    ({"knows_rate": "true", "records": "5000", "rate": "0.02"}, "That is 20 epochs, batches of 100."),
]


@pytest.mark.parametrize(("query", "said"), SAID, ids=str)
def test_what_follows_from_the_run_is_said(query: dict[str, str], said: str) -> None:
    assert said in [caption.value for caption in rail(**query).sidebar.caption]


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ({"people": "100"}, "A batch of 600 is more than all 100 people."),
        ({"people": "1000000000", "batch": "1"}, "the smallest that can be computed is 1e-07"),
        ({"epochs": "1000000"}, "100,000,000 steps, and the most that can be computed are 1,000,000"),
    ],
)
def test_a_run_that_cannot_be_computed_is_said_in_place_of_the_page(query: dict[str, str], why: str) -> None:
    app = app_with_url(**query)
    (warning,) = (str(one.value) for one in app.warning)
    assert why in warning
    assert warning.startswith("**No answer for this run.** ")
    assert not [block for block in app.markdown if block.value.startswith("## ")]
    assert not app.switch_page("pages/frontier/page.py").run().warning  # which does not look at it


@pytest.mark.parametrize("preset", [preset for preset in PRESETS if preset.records], ids=lambda preset: preset.name)
def test_the_switch_says_the_same_release_in_other_words(preset: ReleasePreset) -> None:
    app = rail()
    next(button for button in app.button if button.label == preset.name).click().run()
    before = app.session_state["result"]
    for knows_rate in (True, False):
        app.toggle(key="knows_rate").set_value(knows_rate).run()
        assert not app.exception
        assert app.session_state["result"] == before
        assert {"people", "rate"} & {box.key for box in app.number_input} == {"rate" if knows_rate else "people"}
    assert not app.toast


def test_the_switch_says_that_nobody_has_said_how_many_people_there_are() -> None:
    app = rail(knows_rate="true", rate="0.0123", steps="77")
    app.toggle(key="knows_rate").set_value(False).run()
    assert "60,000 stands there now, with the same release" in app.toast[0].value
    choice = app.session_state["result"]
    assert choice.mechanism == Gaussian(1.0, 0.0123, 77)
    assert (choice.records, choice.delta) == (60_000, 1e-5)


def test_the_app_opens_with_the_first_preset() -> None:
    assert choice_for().mechanism == PRESETS[0].mechanism
    assert choice_for().delta == PRESETS[0].delta


@pytest.mark.parametrize("kind", MECHANISMS)
def test_every_mechanism_has_a_control(kind: type[SampledMechanism]) -> None:
    assert type(choice_for(mechanism=kind.name).mechanism) is kind


def test_cache_tells_mechanisms_of_equal_parameters_apart() -> None:
    assert cached.power(Gaussian(1.0), 1e-3) != cached.power(Laplace(1.0), 1e-3)
    assert cached.trade_off(Gaussian(1.0)).label != cached.trade_off(Laplace(1.0)).label


def test_refusals_of_the_numerics_are_messages_not_tracebacks() -> None:
    app = AppTest.from_string(
        "from pages.ui.error_boundary import error_boundary\n"
        "with error_boundary('answer'):\n"
        "    raise ValueError('noise_multiplier must be positive, got -1.0.')\n"
    ).run()
    assert not app.exception
    assert "noise_multiplier must be positive" in app.warning[0].value


def test_home_opens_with_the_picture_of_the_release() -> None:
    app = app_with_url()
    assert picture.sentence(app) == "At most 41 of 10,000 people can be found. Twice your limit of 20."
    assert [part["part"] for part in picture.parts(app)] == ["answer", "people", "hills"]
    assert picture.sentence(app_with_url(noise="2", limit="50")).endswith("Within your limit of 50.")


def test_home_says_what_it_has_no_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "UNASKED", 0.0)
    app = app_with_url(noise="1.23456")
    assert "**No answer for this release:**" in " ".join(str(one.value) for one in app.warning)
    assert app.button(key="compute_rest")


@pytest.mark.parametrize("finds_people", [True, False])
def test_what_a_page_does_not_ask_about_rests_beside_it_and_is_kept(finds_people: bool) -> None:
    app = AppTest.from_string(
        f"from pages.ui import release_controls\nrelease_controls.draw({finds_people})\n", default_timeout=SECONDS
    )
    app.query_params["accused"] = "30"
    app.query_params["limit"] = "50"
    app.run()
    assert not app.exception
    for key, value in (("accused", 30.0), ("limit", 50.0)):
        assert app.number_input(key=key).value == value
        assert app.number_input(key=key).disabled is not finds_people
    said = " ".join(caption.value for caption in app.sidebar.caption)
    assert ("not asked about on this page" in said) is not finds_people
    assert ("Blind guessing finds 30" in said) is finds_people
    assert [page.address for page in catalog.PAGES if not page.finds_people] == ["reconstruct"]
