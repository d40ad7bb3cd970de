"""The address: its format does not drift, old ones open the same view, and nonsense in it is harmless."""

import pytest

from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.trade_off import Order
from pages.ui.address import spelled
from pages.ui.release_choice import ReleaseChoice
from tests.pages.rail import app_with_url, choice_for

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
    "records_per_person": 1.0,
    "order": Order.ADD,
    "delta": None,
    "phases": 1,
    "accused": 10.0,
    "limit": 20.0,
}


# Beside them where the visitor knows rate and steps, instead of people, batch and epochs.
RATE_AND_STEPS: dict[str, object] = {"rate": 0.01, "steps": 1000.0, "records": None}


def test_keys_and_defaults_of_the_url_are_pinned() -> None:
    state = app_with_url().session_state
    assert {key: state[key] for key in DEFAULTS} == DEFAULTS
    assert choice_for() == ReleaseChoice(Gaussian(1.0, 0.01, 1000), 1e-3, Order.ADD, 1e-5, 0.002, 60_000)
    state = app_with_url(knows_rate="true").session_state
    assert {key: state[key] for key in RATE_AND_STEPS} == RATE_AND_STEPS
    assert not any(key in state for key in ("people", "batch", "epochs"))


def test_labels_in_the_url_are_pinned() -> None:
    assert {"Gaussian", "Laplace", "Logistic"} <= {kind.name for kind in MECHANISMS}
    assert list(Adjacency) == ["add/remove", "replace-one", "zero-out"]
    assert list(Sampling) == ["Poisson", "fixed size", "shuffled", "random allocation"]
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


def test_records_a_person_in_the_url() -> None:
    assert choice_for(records_per_person="4").mechanism == Gaussian(1.0, 0.01, 1000, records_per_person=4)
    twice = choice_for(records_per_person="4", phases="2").mechanism
    assert [phase.records_per_person for phase in twice.phases] == [4, 4]


def test_rate_and_steps_in_the_url() -> None:
    known = {"knows_rate": "true", "rate": "0.08192", "steps": "30"}
    assert choice_for(**known) == ReleaseChoice(Gaussian(1.0, 0.08192, 30), 1e-3, Order.ADD, 1e-5)
    assert choice_for(**known, records="1000", delta="1e-7").delta == 1e-7
    assert choice_for(**known, records="1000") == ReleaseChoice(
        Gaussian(1.0, 0.08192, 30), 1e-3, Order.ADD, 1e-4, 0.002, 1000
    )


def test_phases_in_the_url() -> None:
    choice = choice_for(phases="3", noise_2="2", steps_2="10", rate_3="1", steps_3="5")
    later = Gaussian(2.0, 0.01, 10), Gaussian(1.0, 1.0, 5)
    assert choice.mechanism == Composition((Gaussian(1.0, 0.01, 1000), *later))


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ({"noise": "5000", "knows_rate": "true", "steps": "30"}, "noise = 5000."),
        ({"rate": "0.1", "people": "1000", "truncation_delta": "1e-06"}, "rate = 0\\.1, truncation_delta = 1e\\-06."),
        ({"people": "-1", "batch": "many"}, "people = \\-1, batch = many."),
        ({"accused": "20000", "delta": "1"}, "accused = 20000, delta = 1."),
        ({"rate": "-1", "knows_rate": "true", "noise": "nan"}, "rate = \\-1, noise = nan."),
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
    assert not app_with_url(noise="2", epochs="30", accused="", unknown="x").toast


# Controls that are drawn together; later phases are there from two phases on.
TOGETHER = {
    "run": [key for key in DEFAULTS if key != "phases"],
    "rate and steps": [*RATE_AND_STEPS, "noise"],
    "later phases": ["noise_2", "rate_2", "steps_2"],
    "phases": ["phases"],
    "what no page knows": ["unknown"],
}


NONSENSE = (
    *("-1", "0", "nan", "inf", "1e999", "1" * 400, "\N{ARABIC-INDIC DIGIT ONE}", "0.5;1"),
    *("abc", "", "None", "\0", "<img src=x onerror=alert(1)>"),
)


@pytest.mark.parametrize("keys", TOGETHER.values(), ids=TOGETHER)
@pytest.mark.parametrize("nonsense", NONSENSE)
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
