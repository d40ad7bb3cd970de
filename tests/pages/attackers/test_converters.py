"""The converters: what is said, in which direction, and that bad input does not stop the page."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from numerics import membership
from numerics.conversions import replaced_advantage_limit
from numerics.mechanisms import Adjacency, Gaussian
from numerics.membership import Game
from pages.attackers.converters import rows
from pages.attackers.converters.rows import EPSILON, ETA, FOUND, MU, NOTHING, At, GivenAttack, GivenEpsilon, GivenMu
from pages.ui.numbers_in_words import rounded_up
from tests.pages.visit import addressed, visited

SECONDS = 60  # the first run imports Plotly and computes certified curves on a busy machine
DEFAULTS: dict[str, object] = {
    "attackers.convert_from": "epsilon, delta",
    "attackers.convert_adjacency": "add/remove",
    "attackers.convert_epsilon": 1.0,
    "attackers.convert_delta": 1e-5,
    "attackers.convert_level_of": "Gaussian DP (noise)",
    "attackers.convert_level": 1.0,
}
AT = At(1e-3, 1e-5, Adjacency.ADD_REMOVE)


def page(**query: str) -> AppTest:
    """The part alone, on a plain Gaussian release unless the query says otherwise."""
    script = (
        "from pages.attackers import controls\n"
        "from pages.attackers.converters import tab\n"
        "from pages.ui import release_controls, rail\n"
        "rail.draw()\n"
        "tab.draw(controls.draw(release_controls.current()))\n"
    )
    start = {"knows_rate": "true", "steps": "1", "rate": "1", "noise": "1", "records": "48000", "dimension": "1"}
    return visited(AppTest.from_string(script, default_timeout=SECONDS), addressed("attackers", {**start, **query}))


def headline(app: AppTest) -> str:
    return " ".join(str(block.value) for block in app.markdown if block.value.startswith("### "))


def row(app: AppTest, quantity: str) -> dict[str, str]:
    table = app.table[0].value
    (found,) = (line for line in table.to_dict("records") if str(line[""]).startswith(quantity))
    return {str(name): str(value) for name, value in found.items()}


def test_the_bound_from_epsilon_stands_beside_the_releases_own_number() -> None:
    app = page()
    limit = 0.5 * replaced_advantage_limit(1.0, 1e-5)
    own = membership.eta(Gaussian(1.0), Game.HALVES).upper
    assert f"η (exact halves) is at most {rounded_up(limit)} (81.7 % of guesses right)" in headline(app)
    assert f"this release's own curve says at most {rounded_up(own, 4)}" in headline(app)
    assert rounded_up(membership.eta_of_epsilon(1.0, 1e-5, Adjacency.ADD_REMOVE)) in row(app, "η")["in words"]
    delta = rounded_up(Gaussian(1.0).delta(1.0).upper, 4)
    assert any(f"own δ is at most {delta} (exact)" in str(caption.value) for caption in app.caption)
    assert row(app, "μ")["from what is entered"] == "none"


@pytest.mark.parametrize(("start", "first"), [("eta", "TPR"), ("mu", "ε"), ("TPR at FPR", "ε")])
def test_every_start_shows_the_others(start: str, first: str) -> None:
    app = page(convert_from=start)
    assert str(app.table[0].value.iloc[0, 0]).startswith(first)
    assert not app.warning


def test_mu_of_the_release_itself_gives_its_numbers() -> None:
    app = page(convert_from="mu", convert_mu="1")
    for quantity in ("ε", "η", "TPR"):
        line = row(app, quantity)
        own, kind = line["this release, at most"].split()
        assert float(line["from what is entered"]) == pytest.approx(float(own), rel=0.01)
        assert kind == "(exact)"


@pytest.mark.parametrize(
    ("start", "key"), [("epsilon, delta", "attackers.convert_epsilon"), ("mu", "attackers.convert_mu")]
)
def test_the_releases_own_number_can_be_entered(start: str, key: str) -> None:
    app = page(convert_from=start)
    app.button(key="attackers.convert_use").click().run()
    assert not app.exception
    own = Gaussian(1.0).epsilon(1e-5).upper if key == "attackers.convert_epsilon" else 1.0
    assert app.session_state[key] == pytest.approx(own)


def test_an_attack_proves_nothing_about_replaced_records_unless_it_is_one() -> None:
    assert row(page(convert_from="TPR at FPR"), "η")["kind"] == NOTHING
    app = page(convert_from="TPR at FPR", convert_adjacency="replace-one", convert_found="0.9")
    assert any("No attack on this release does that" in str(caption.value) for caption in app.caption)
    assert "at least" in row(app, "η")["in words"]
    limit = page(convert_from="TPR at FPR", convert_reading="no attack exceeds it")
    assert row(limit, "μ")["kind"] == NOTHING


def test_fixed_size_batches_have_no_add_remove_numbers() -> None:
    assert (
        "not for fixed-size"
        in row(page(sampling="fixed size", knows_rate="true", rate="0.5"), "TPR")["this release, at most"]
    )


def test_pure_epsilon_gives_a_mu_and_two_steps_are_used() -> None:
    eta, mu, found = GivenEpsilon(1.0, 0.0).lines(AT)
    assert (eta.quantity, mu.quantity, found.quantity) == (ETA, MU, FOUND)
    assert eta.value == rounded_up(0.5 * (1.0 - np.exp(-1.0)))
    assert mu.kind == rows.EXACT


def test_epsilon_of_mu_and_of_an_attack_of_it_agree_on_the_side() -> None:
    (of_mu,) = (line for line in GivenMu(1.0).lines(AT) if line.quantity == EPSILON)
    power = Gaussian(1.0).power(AT.alpha).estimate
    (of_attack,) = (line for line in GivenAttack(power).lines(AT) if line.quantity == EPSILON)
    assert float(of_attack.value) <= float(of_mu.value)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"attackers.convert_level": "0.5", "dimension": "1"}, "below the Gaussian-DP level"),
        ({"attackers.convert_level": "0.5", "dimension": "1000000"}, "buys nothing here"),
        ({"attackers.convert_level_of": "membership", "attackers.convert_level": "5"}, "no noise at all"),
        (
            {"attackers.convert_level_of": "membership", "attackers.convert_level": "0.5", "dimension": "1000000"},
            "the lesser noise",
        ),
        ({"attackers.convert_level_of": "membership", "attackers.convert_level": "0.04"}, "re-expresses"),
    ],
)
def test_levels_of_paper_004_say_which_case_they_are(query: dict[str, str], words: str) -> None:
    app = page(**query, knows_rate="true", rate="0.01")
    assert any(words in str(block.value) for block in app.markdown)


def test_levels_of_paper_004_need_the_number_of_people_and_parameters() -> None:
    without = page(knows_rate="true", records="", dimension="")
    assert any("needs the number of people and parameters" in str(block.value) for block in without.info)


@pytest.mark.parametrize("value", ["abc", "-1", "nan", "inf", "1e400"])
def test_bad_addresses_do_not_stop_the_page(value: str) -> None:
    names = (
        "attackers.convert_epsilon",
        "attackers.convert_delta",
        "attackers.convert_from",
        "attackers.convert_level",
        "attackers.convert_adjacency",
    )
    assert headline(page(**dict.fromkeys(names, value)))
    assert headline(page(convert_from="TPR at FPR", convert_found=value, convert_alarms=value, convert_reading=value))


@pytest.mark.parametrize(
    "query", [{"attackers.convert_delta": "0"}, {"attackers.convert_delta": "1"}, {"attackers.convert_epsilon": "0"}]
)
def test_extreme_guarantees_are_converted(query: dict[str, str]) -> None:
    assert not page(**query).warning


def test_defaults_are_left_out_of_addresses() -> None:
    app = page()
    for key, default in DEFAULTS.items():
        assert app.session_state[key] == default
    assert not [name for name in app.query_params if name.startswith("attackers.convert_")]
