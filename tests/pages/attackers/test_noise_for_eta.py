"""The noise for a wanted eta: numbers, order of the ways, pasted values, preset, and bad input."""

import inspect

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from numerics.membership import noise_scale, worst_case_data
from numerics.membership.halves import HalfReleases, halves
from pages.attackers.noise_for_eta import cached, exact_eta, figure, small_release
from pages.attackers.noise_for_eta.exact_eta import LEAST, PAPER_9, PAPER_14, PRIVATE, SWAP
from pages.attackers.noise_for_eta.small_release import SmallDataSet, ValuesError
from tests.pages.visit import addressed, visited
from tests.reference import Reference, each

SECONDS = 60  # the first run imports Plotly on a busy machine
LAST_DIGIT = 1e-3  # a noise scale is rounded up to four digits, by so much at most
ROUNDING = 1e-9
DEFAULTS: dict[str, object] = {
    "attackers.eta_goal": 0.01,
    "attackers.eta_moment": 2.0,
    "attackers.eta_data": "digit images",
    "attackers.eta_records": 12,
    "attackers.eta_sizes": [30, 32, 34, 36],
}
VALUES = "3.1 4.7 2.2 5.9 4.4 3.8"


def page(**query: str | list[str]) -> AppTest:
    """The part alone."""
    script = (
        "from pages.attackers import controls\n"
        "from pages.attackers.noise_for_eta import tab\n"
        "from pages.ui import release_controls, rail\n"
        "rail.draw()\n"
        "tab.draw(controls.draw(release_controls.current()))\n"
    )
    return visited(AppTest.from_string(script, default_timeout=SECONDS), addressed("attackers", query))


def headline(app: AppTest) -> str:
    return " ".join(str(block.value) for block in app.markdown if block.value.startswith("### "))


def paste(text: str) -> AppTest:
    app = page(eta_data="my own values")
    app.text_area(key="attackers.eta_pasted").set_value(text).run()
    assert not app.exception
    return app


def test_ways_are_listed_with_their_ratios() -> None:
    app = page()
    rows = app.table[0].value.to_dict("list")
    assert [str(name) for name in rows["way"]] == [LEAST, SWAP, PRIVATE, PAPER_14, PAPER_9]
    assert str(rows["times the one-swap bound's"][1]) == "1"
    assert "The one-swap bound asks for" in headline(app)
    assert [str(kind) for kind in rows["kind"]] == ["exact", "guarantee", "guarantee", *["paper's guarantee"] * 2]
    assert not app.warning
    said = " ".join(str(block.value) for block in app.caption)
    assert "needs public data or an assumption" in said  # the condition stands with the numbers, not in a fold


def test_values_of_two_kinds_that_need_no_noise_by_the_one_swap_bound() -> None:
    """Two swaps in five change nothing, so that at most 0.8 of halves are told apart: eta 0.3 without noise."""
    app = page(eta_data="my own values", eta_goal="0.45")
    app.text_area(key="attackers.eta_pasted").set_value("1 1 1 2 2 2").run()
    assert not app.exception
    assert "The one-swap bound asks for none" in headline(app)
    assert set(app.table[0].value.to_dict("list")["times the one-swap bound's"]) == {""}


@pytest.mark.parametrize("goal", [1e-3, 0.1, 0.45])
@pytest.mark.parametrize("data", [SmallDataSet.DIGITS, SmallDataSet.PROPOSITION_11])
def test_least_noise_keeps_eta_and_every_guarantee_asks_for_more(data: SmallDataSet, goal: float) -> None:
    release = small_release.bundled(data, 8)
    found = exact_eta.compare(release, goal, 2.0)
    least = found.scale_of(LEAST)
    assert release.halves.eta(least * (1 - LAST_DIGIT)) > goal
    assert all(way.scale is not None and way.scale >= least for way in found.ways)
    assert all(way.eta is not None and way.eta <= goal for way in found.ways)
    assert found.swap <= found.scale_of(PRIVATE)
    assert 0.01 < found.found <= 0.01 + 2.0 * goal  # eta is half of the largest gap of the rates
    assert release.swap.etas(found.swap)[found.hidden_least - 1] <= goal
    assert found.mean_swap <= found.sensitivity
    assert all(way.scale is not None and float(f"{way.scale:.4g}") == way.scale for way in found.ways)


def test_promises_lie_above_the_exact_eta_wherever_drawn() -> None:
    curves = exact_eta.compare(small_release.bundled(SmallDataSet.DIGITS, 10), 0.01, 2.0).curves
    for promise in (curves.swap, curves.paper, curves.private):
        assert np.all(promise >= curves.exact * (1 - ROUNDING))
    assert np.all(curves.swap <= curves.private * (1 + ROUNDING))


def test_the_papers_promise_inverts_its_noise() -> None:
    for moment, scale in ((2.0, noise_scale.corollary_14_scale), (1.5, noise_scale.theorem_9_scale)):
        curves = exact_eta.compare(small_release.bundled(SmallDataSet.DIGITS, 6), 0.01, moment).curves
        spread = small_release.bundled(SmallDataSet.DIGITS, 6).halves.spread(moment)
        assert curves.paper[-1] < 0.5
        assert scale(float(curves.paper[-1]), spread, moment) == pytest.approx(curves.scale[-1], rel=ROUNDING)


def test_no_noise_is_needed_where_all_halves_give_the_same() -> None:
    halves = HalfReleases.of(np.zeros(4), lambda members: np.asarray(np.sum(members, axis=1)))
    assert halves.spread(20.0) == 0.0
    assert halves.scale_for(0.01) == 0.0


def test_no_noise_is_needed_where_halves_hardly_tell() -> None:
    """Only one of the six halves of four records says who is in it, so eta without any noise is below one half."""
    releases = HalfReleases(np.repeat([0.0, 1.0], [5, 1]), halves(4))
    assert releases.eta(1e-9) < 0.4
    assert releases.scale_for(0.4) == 0.0
    assert releases.scale_for(0.1) > 0.0


def test_high_moments_of_small_spreads_do_not_vanish() -> None:
    release = small_release.mean_of(1e-20 * np.arange(6.0), "tiny")
    assert release.halves.spread(20.0) == pytest.approx(
        1e-20 * small_release.mean_of(np.arange(6.0), "").halves.spread(20.0), rel=ROUNDING
    )


def test_sensitivity_of_a_mean_is_its_largest_change() -> None:
    values = np.array([3.0, -1.0, 2.0, 7.0, 0.5, 4.0])
    release = small_release.mean_of(values, "")
    changes = [
        abs(a - b)
        for a, first in zip(release.halves.statistics, release.halves.inside, strict=True)
        for b, second in zip(release.halves.statistics, release.halves.inside, strict=True)
        if np.sum(first & ~second) == 1
    ]
    assert release.sensitivity == pytest.approx(max(changes), rel=ROUNDING)


@each(prefix="fig1_cross")
def test_crossings_of_the_figure(row: Reference) -> None:
    n = int(row.params["n"])
    (crossing,) = (met for met in figure.crossings([n]) if met.spread == "σ = 1")
    assert crossing.eta == pytest.approx(row.expected, rel=1e-6)


def test_figure_1_has_its_lines_and_the_preset_sets_it() -> None:
    assert [line.label for line in figure.curves([30, 36])][:2] == [
        "DP, n = 30",
        "DP, n = 36",
    ]
    line = figure.curves([36])[0]
    assert line.scale[0] == pytest.approx(
        noise_scale.private_scale(float(line.eta[0]), worst_case_data.sensitivity(36)), rel=ROUNDING
    )
    app = page(eta_goal="0.2", eta_sizes=["20"])
    app.button(key="attackers.eta_preset").click().run()
    assert not app.exception
    assert app.session_state["attackers.eta_goal"] == 0.01
    assert app.session_state["attackers.eta_sizes"] == [30, 32, 34, 36]
    assert "0.00159" in str(app.table[1].value)


def test_pasted_values_are_used_and_stay_in_the_session() -> None:
    before = len(cached.compare)
    app = paste(VALUES)
    assert "The one-swap bound asks for" in headline(app)
    assert len(cached.compare) == before
    assert "4.7" not in str(app.query_params)
    with pytest.raises(ValueError, match="not cached"):
        cached.compare(SmallDataSet.OWN, 6, 0.01, 2.0)


def test_nothing_that_pasted_values_pass_through_is_cached() -> None:
    for module in (small_release, exact_eta):
        assert "cache" not in inspect.getsource(module)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 2 x 4", "Value 3, “x”, is not a number"),
        ("1 2 nan 4", "Value 3 is nan"),
        ("1 2 3 1e999", "Value 4 is inf"),
        ("1 2 3 1e200", "finite numbers up to 1e+100"),
        ("1 2", "at least 4"),
        ("1 2 3 4 5", "Add or leave out one"),
        (" ".join(map(str, range(18))), "Leave out 2"),
        ("5 5 5 5", "all the same"),
        ("1_0 2 3 4", "Value 1"),
        ("1.5 2,5 3 4", "“2,5” may be one number or several"),
        ("9" * 2000, "The text has 2,000 characters"),
    ],
)
def test_refusals_say_what_where_and_what_to_do(text: str, words: str) -> None:
    with pytest.raises(ValuesError) as refusal:
        small_release.read(text)
    assert words in str(refusal.value)


def test_separators_may_be_mixed() -> None:
    assert list(small_release.read("1, 2;3\n4\t5 , 6")) == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert list(small_release.read("1,2,3,4.5")) == [1.0, 2.0, 3.0, 4.5]


def test_a_refusal_is_shown_as_text_and_the_page_goes_on() -> None:
    app = paste("1 2 *x* 4")
    assert len(app.error) == 1
    assert "\\*x\\*" in app.error[0].value
    assert any("Fig. 1" in str(block.value) for block in app.markdown)
    assert not paste("").error


@pytest.mark.parametrize("value", ["abc", "-1", "nan", "inf", "1e400"])
def test_bad_addresses_do_not_stop_the_page(value: str) -> None:
    assert headline(page(**dict.fromkeys(DEFAULTS, value)))


def test_a_moment_below_two_leaves_the_second_constant_out() -> None:
    rows = page(eta_moment="1.5").table[0].value.to_dict("list")
    assert "needs M ≥ 2" in [str(value) for value in rows["noise scale b"]]


def test_defaults_are_left_out_of_addresses() -> None:
    app = page()
    for key, default in DEFAULTS.items():
        assert app.session_state[key] == default
    assert not [name for name in app.query_params if name.startswith("attackers.eta_")]
