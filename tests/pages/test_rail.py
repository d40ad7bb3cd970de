"""The controls of the release: presets, words, what follows from a run, and what rests beside a page."""

import pytest
from streamlit.testing.v1 import AppTest

from numerics import relaxed
from numerics.mechanisms import MECHANISMS, Adjacency, Gaussian, SampledMechanism, Sampling
from numerics.trade_off import Order
from pages.ui import catalog
from pages.ui.rail import LARGEST_DIMENSION
from pages.ui.release_choice import ReleaseChoice
from pages.ui.release_presets import PRESETS, ReleasePreset
from tests.pages.rail import app_with_url, choice_for, rail

SECONDS = 60  # a page's first run imports Plotly and computes certified curves on a busy machine


def test_the_rail_takes_every_dimension_that_can_be_computed() -> None:
    assert LARGEST_DIMENSION == relaxed.LARGEST_DIMENSION


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


def test_the_order_says_whom_the_attacker_wrongs_and_whom_the_limit_counts() -> None:
    labels = ("Falsely accused, of 10,000", "My limit: people found, of 10,000", "finds 10")
    cleared = ("Wrongly cleared, of 10,000", "My limit: ruled out, of 10,000", "rules out 10")
    app = rail(order="remove-one", limit="30")
    for order, (wronged, limit, guessing) in (("remove-one", cleared), ("both", labels), ("add-one", labels)):
        app.selectbox(key="order").select(order).run()
        assert [app.number_input(key=key).label for key in ("accused", "limit")] == [wronged, limit]
        assert f"Blind guessing {guessing} of 10,000." in [caption.value for caption in app.sidebar.caption]
        assert app.number_input(key="limit").value == 30.0


@pytest.mark.parametrize(("most", "counted"), [("1", "people"), ("4", "records")])
def test_a_refused_run_speaks_of_what_it_counts(most: str, counted: str) -> None:
    said = [box.value for box in app_with_url(batch="700", people="600", records_per_person=most).sidebar.caption]
    assert f"A batch of 700 is more than all 600 {counted}. Make the batch smaller." in said


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
    app.session_state["rail.presets"] = True
    next(button for button in app.run().button if button.label == PRESETS[1].name).click().run()
    assert not app.session_state["rail.presets"]
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
    ("sampling", "asked", "stated"),
    [
        ("random allocation", "replace-one", Adjacency.ADD_REMOVE),
        ("shuffled", "add/remove", Adjacency.ZERO_OUT),
        ("fixed size", "zero-out", Adjacency.REPLACE_ONE),
    ],
)
def test_neighbours_that_an_address_cannot_have_are_named_and_the_box_shows_what_holds(
    sampling: str, asked: str, stated: Adjacency
) -> None:
    app = app_with_url(sampling=sampling, adjacency=asked)
    for _ in range(2):
        assert app.selectbox(key="adjacency").value == stated
        app.run()
    assert choice_for(sampling=sampling, adjacency=asked).mechanism.adjacency is stated
    (said,) = (toast.value for toast in app_with_url(sampling=sampling, adjacency=asked).toast)
    assert f"adjacency = {asked}." in said.replace("\\", "")


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({}, "Gaussian noise 1, 60,000 people in batches of 600, 10 epochs"),
        ({"epochs": "1", "noise": "2.5", "mechanism": "Laplace"},
         "Laplace noise 2.5, 60,000 people in batches of 600, 1 epoch"),
        ({"sampling": "fixed size"},
         "Gaussian noise 1, 60,000 people in batches of 600, 10 epochs, batches of fixed size"),
        ({"knows_rate": "true", "records": "60000"}, "Gaussian, noise 1, rate 0.01, 1,000 steps"),
        (
            {"phases": "2"},
            "Phase 1: Gaussian, noise 1, rate 0.01, 1,000 steps; Phase 2: Gaussian, noise 1, rate 0.01, 1,000 steps",
        ),
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


@pytest.mark.parametrize("kind", [kind for kind in MECHANISMS if not kind.is_sampled], ids=lambda kind: kind.name)
def test_the_switch_keeps_the_steps_of_a_release_that_is_not_sampled(kind: type[SampledMechanism]) -> None:
    app = rail(mechanism=kind.name, epochs="3")
    before = app.session_state["result"]
    for knows_rate in (True, False):
        app.toggle(key="knows_rate").set_value(knows_rate).run()
        assert not app.exception
        assert app.session_state["result"] == before


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


@pytest.mark.parametrize("finds_people", [True, False])
def test_what_a_page_does_not_ask_about_rests_beside_it_and_is_kept(finds_people: bool) -> None:
    app = AppTest.from_string(f"from pages.ui import rail\nrail.draw({finds_people})\n", default_timeout=SECONDS)
    app.query_params["accused"] = "30"
    app.query_params["limit"] = "50"
    app.run()
    assert not app.exception
    for key, value in (("accused", 30.0), ("limit", 50.0)):
        assert app.number_input(key=key).value == value
        assert app.number_input(key=key).disabled is not finds_people
    said = " ".join(caption.value for caption in app.sidebar.caption)
    assert ("This page asks about neither." in said) is not finds_people
    assert ("Blind guessing finds 30" in said) is finds_people
    assert [page.address for page in catalog.PAGES if not page.finds_people] == ["reconstruct"]
