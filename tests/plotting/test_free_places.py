"""Words in a figure stand where they hide nothing: names of curves, of gaps, of regions and of guessing."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from numerics.mechanisms import Gaussian
from numerics.trade_off import Bound, Bracket, Floats, TradeOffCurve, alpha_grid
from plotting.attackers import attackers_figure
from plotting.curves import Axes, OperatingPoint
from plotting.free_places import Frame, FreePlaces, Spot
from plotting.limit import TOO_MANY, LimitRegion
from plotting.lines import Dots, Line, LineAxis, lines_figure
from plotting.people_rows import AttackerRow, AttackersFrame
from plotting.trade_off import trade_off_figure

PHONE = np.array([230.0, 180.0])  # pixels of the axes
WORDS = np.array([50.0, 16.0])  # pixels of five letters


def curve(effect: float) -> TradeOffCurve:
    return Gaussian(1.0 / effect).trade_off(alpha_grid(60))


def open_curve(guarantee: float, attack: float) -> TradeOffCurve:
    most, least = curve(guarantee), curve(attack)
    return replace(most, bound=Bound.OPEN, lower=replace(most, bound=Bound.LOWER), upper=least)


def crosses(place: Floats, x: Floats, y: Floats) -> bool:
    """Whether a line, of shares of the axes, runs through a box that starts there and is as large as ``WORDS``."""
    along = np.linspace(x[0], x[-1], 2000)
    inside = np.abs(np.column_stack([along, np.interp(along, x, y)]) * PHONE - place - WORDS / 2.0) < WORDS / 2.0
    return bool(inside.all(axis=1).any())


def test_words_stand_at_the_first_place_that_is_free() -> None:
    line = np.array([0.0, 1.0]), np.array([0.5, 0.5])
    free = FreePlaces.beside([line])
    on, above, below = (Spot(0.5, height, 4.0, 4.0) for height in (0.45, 0.6, 0.2))
    assert free.best("words", [on, above, below]) == above
    assert free.with_words(above, "other").best("words", [on, above, below]) == below
    assert free.best("words", [on]) == on  # hidden a little is better than not said
    assert free.best("words", [Spot(0.99, 0.6, 4.0, 4.0), below]) == below  # not beyond the axes
    assert FreePlaces.beside([], [(np.array([0.55]), np.array([0.65]))]).best("words", [above, below]) == below


def test_places_are_shares_of_linear_and_of_logarithmic_axes() -> None:
    for log, middle in ((False, 0.505), (True, 0.1)):
        spot = Frame((0.01, 1.0), (0.01, 1.0), log).spot(middle, 1.0, 2.0, -2.0)
        assert [spot.x, spot.y, spot.right, spot.up] == pytest.approx([0.5, 1.0, 2.0, -2.0])


@pytest.mark.parametrize("alpha", [1e-3, 1e-2])
@pytest.mark.parametrize("guarantee", [0.5, 1.0, 2.0])
def test_the_number_of_the_point_lies_on_no_line(guarantee: float, alpha: float) -> None:
    own, power = curve(guarantee), Gaussian(1.0 / guarantee).power(alpha)
    figure: Any = trade_off_figure(own, OperatingPoint(alpha, power), Axes.LOG, limit=LimitRegion(0.002, 10_000))
    note = figure.layout.annotations[-1]
    wide, high = 7.0 * (len(note.text) - len("<b></b>")), WORDS[1] - 2.0  # letters leave a line free of their height
    start = np.array([1.0 + note.x / 4.0, 1.0 + note.y / 4.0]) * PHONE + [note.xshift, 1.0]
    start -= [0.0 if note.xanchor == "left" else wide, 0.0 if note.yanchor == "bottom" else WORDS[1]]
    assert start[0] >= 0.0
    seen = own.alpha >= 1e-4
    for height in (own.alpha, own.power):
        x, y = (1.0 + np.log10(one[seen]) / 4.0 for one in (own.alpha, height))
        along = np.linspace(x[0], x[-1], 2000)
        at = np.column_stack([along, np.interp(along, x, y)]) * PHONE - start
        assert not ((at > 0.0) & (at < [wide, high])).all(axis=1).any()


@pytest.mark.parametrize(("guarantee", "inside"), [(3.0, True), (0.55, False)])
@pytest.mark.parametrize("axes", Axes)
def test_a_gap_takes_its_name_in_where_it_is_wide_enough(axes: Axes, guarantee: float, inside: bool) -> None:
    point = OperatingPoint(1e-3, Gaussian(1.0 / guarantee).power(1e-3))
    figure: Any = trade_off_figure(open_curve(guarantee, 0.5), point, axes, limit=LimitRegion(0.002, 10_000))
    (name,) = (one for one in figure.data if one.mode == "text")
    assert (name.textposition == "middle center") is inside
    if not inside:  # away from guessing, which the attack is nearer to
        assert name.textposition == ("top left" if axes is Axes.LOG else "bottom left")


@pytest.mark.parametrize("guarantee", [1.0, 3.5])
def test_the_region_of_too_many_has_its_name_beside_the_curve(guarantee: float) -> None:
    own = curve(guarantee)
    release = Gaussian(1.0 / guarantee)
    figure: Any = trade_off_figure(
        own, OperatingPoint(1e-2, release.power(1e-2)), Axes.LOG, limit=LimitRegion(0.02, 10_000)
    )
    (name,) = (note for note in figure.layout.annotations if TOO_MANY in note.text)
    seen = own.alpha >= 1e-4
    x, y = (1.0 + np.log10(np.maximum(values[seen], 1e-9)) / 4.0 for values in (own.alpha, own.power))
    top = 1.0 + name.y / 4.0
    assert not crosses(np.array([6.0, top * PHONE[1] - WORDS[1]]), x, y)
    assert bool(top == 1.0) is (guarantee == 1.0)


def test_the_name_of_guessing_lies_on_no_dot() -> None:
    across, up = LineAxis("x", ends=(0.0, 1.0)), LineAxis("y", ends=(0.0, 1.0))
    blind = Line("guess", np.array([0.0, 1.0]), np.array([0.1, 0.1]), "#000000", None)
    rising = Line("truth", np.array([0.0, 0.3, 1.0]), np.array([0.1, 1.0, 1.0]), "#000000")
    places: list[tuple[float, str]] = []
    for x in ([], [0.55, 0.6]):
        dots = [Dots("few", np.array(x), np.full(len(x), 0.05))]
        figure: Any = lines_figure(across, up, [rising], dots, blind)
        (name,) = (one for one in figure.data if one.mode == "text")
        places.append((name.x[0], name.textposition))
    assert places[0] == (0.5, "bottom right")
    assert places[1] != places[0]


def test_the_name_of_an_open_curve_lies_on_no_line_of_a_telephone() -> None:
    gap = open_curve(3.5, 1.7)
    found = Bracket.exact(0.5)
    figure: Any = attackers_figure(
        [AttackerRow("all known", "#000000", 5000, "5,000", found, gap)], AttackersFrame(1e-3, 0.002, 10_000)
    )
    (name,) = (note for note in figure.layout.annotations if note.text == "all known")
    start = np.array([1.0 + name.x / 4.0, 1.0 + name.y / 4.0]) * PHONE + [name.ax, -name.ay - WORDS[1] / 2.0]
    assert start[0] + WORDS[0] < PHONE[0]
    assert gap.upper is not None
    seen = gap.alpha >= 1e-4
    for height in (gap.alpha, gap.power, gap.upper.power):
        x, y = (1.0 + np.log10(np.maximum(one[seen], 1e-9)) / 4.0 for one in (gap.alpha, height))
        assert not crosses(start, x, y)
