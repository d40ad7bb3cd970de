"""Algorithm 1: noise whose scale is estimated from the private data, what is asked of it, and what an attack finds."""

from statistics import NormalDist

import numpy as np

from numerics.membership.halves import HalfReleases
from numerics.membership.noise_scale import EstimatedNoise, chance_of_too_little, corollary_14_scale, found_by_size
from numerics.membership.one_swap import OneSwap, SwapNoise
from numerics.trade_off import Bound, Floats
from pages.papers.figure import Drawing, MovingParameter, PaperFigure
from pages.papers.paper_002 import noise_scales
from pages.ui.catalog import ATTACKERS
from pages.ui.numbers_in_words import nearest
from plotting import theme
from plotting.lines import Dots, Line, LineAxis

_ETA = 0.1
_NEAR, _RUNS = 15, 8000  # records that are alike; half of the runs choose the attack's threshold
_BUDGETS = np.array([2, 5, 10, 20, 50, 100, 200])
_DRAWN = np.unique(np.geomspace(2, 1000, 60).astype(int))
_BUDGET = LineAxis("Halves tried, B", log=True, ends=(1.8, 230.0))
_CONFIDENT = 1.96


def _data(distance: float) -> Floats:
    near = [NormalDist().inv_cdf((each + 0.5) / (_NEAR + 1)) for each in range(_NEAR)]
    return np.array([*near, distance])


def _mean(members: Floats) -> Floats:
    return np.asarray(np.mean(members, axis=1))


def _asked_and_reached(distance: float) -> Drawing:
    data = _data(distance)
    reached = np.array(
        [
            found_by_size(EstimatedNoise(data, _ETA, int(budget)).draw(np.random.default_rng(budget), _RUNS), _NEAR)
            for budget in _BUDGETS
        ]
    )
    error = _CONFIDENT * np.sqrt((0.25 - reached**2) / (_RUNS / 2))
    halves = HalfReleases.of(data, _mean)
    scale = corollary_14_scale(_ETA, halves.spread(2.0), 2.0)
    known, swap = halves.eta(scale), OneSwap.of_mean(data, SwapNoise.LAPLACE, scale).eta()
    ends = np.array([2.0, 200.0])
    lines = [
        Line("asked for", ends, np.full(2, _ETA), theme.NOT_VALID, None),
        Line("spread known", ends, np.full(2, known), theme.DRAW_UNKNOWN),
        Line("spread known, one-swap bound", ends, np.full(2, swap), theme.COMPARED[0], Bound.LOWER, "cross"),
    ]
    dots = [Dots("attack", _BUDGETS.astype(float), reached, theme.MEASURED, error, "circle")]
    alt = (
        f"Accuracy above guessing on one record at {distance:g}, 15 others within 2: {_ETA:g} is asked for; the attack "
        f"reaches {reached[0]:.3f} for B = 2 and {reached[-1]:.3f} for B = 200; noise for the true spread allows "
        f"{known:.2g}, by the one-swap bound at most {swap:.2g}."
    )
    return Drawing.of(alt, (_BUDGET, LineAxis("Accuracy above guessing η", ends=(0.0, 0.5))), lines, dots)


def _too_little(share: float) -> Drawing:
    lines = []
    for name, inflation, color, symbol in (
        ("halves of the half", np.sqrt(2.0), theme.COMPARED[0], "circle"),
        ("halves of all", 1.0, theme.DRAW_UNKNOWN, "square"),
    ):
        chances = np.array([chance_of_too_little(int(budget), inflation / share) for budget in _DRAWN])
        lines.append(Line(name, _DRAWN.astype(float), chances, color, symbol=symbol))
    values = ", ".join(f"{line.name} {np.interp(10.0, line.x, line.y):.3g}" for line in lines)
    alt = f"Chance that the estimated spread is below {share:g} of the true one, a mean: at B = 10, {values}."
    axes = (
        LineAxis(_BUDGET.words, log=True, ends=(1.8, 1000.0)),
        LineAxis("Chance of too little noise", ends=(0.0, 1.0)),
    )
    return Drawing.of(alt, axes, lines)


def _reached(seen: Drawing) -> str:
    few, many = seen.at("attack", 2.0), seen.at("attack", 200.0)
    known, swap = seen.at("spread known", 2.0), seen.at("spread known, one-swap bound", 2.0)
    return (
        f"The attack reaches an η of {few:.3f} at B = 2 and of {many:.3f} at B = 200, where η = {_ETA:g} is asked for; "
        f"noise for the true spread leaves {nearest(known, 2)}, by the one-swap bound at most {nearest(swap, 2)}. "
        "The farther the record is from the others, the more the noise's own scale tells who is in, however many "
        "halves are tried."
    )


def _missing_noise(seen: Drawing) -> str:
    half, whole = (nearest(seen.at(name, 10.0), 2) for name in ("halves of the half", "halves of all"))
    return (
        f"At B = 10 halves of a half, which the paper takes, give too little with a chance of {half}, halves of all "
        f"data, which the guarantee is about, with one of {whole}. Halves of a half overstate the spread of a mean, so "
        "they are the safer ones."
    )


FIGURES = (
    PaperFigure(
        "002 Alg. 1",
        "Noise whose scale is estimated from the private data: η asked for, and η an attack reaches.",
        ATTACKERS,
        noise_scales.QUERY,
        draw=_asked_and_reached,
        case="claim and attack",
        parameter=MovingParameter(
            "Where one record is, 15 others within 2", (3, 10, 30, 100, 1000), 100, is_printed=False
        ),
        settings=f"η = {_ETA:g} asked for, {_NEAR} other records",
        notice=_reached,
        corrections=(32, 34),
        source=f"Simulated on arrival: {_RUNS:,} runs a point, half of them to choose the attack's threshold; bars "
        "hold 95 %. The mean is released, M = 2. The paper runs no experiment, and "
        "says itself that nothing is guaranteed for finite B: data and attack are ours.",
    ),
    PaperFigure(
        "002 Alg. 1",
        "With finitely many halves the estimated spread may be too small, which the paper says without a number.",
        ATTACKERS,
        noise_scales.QUERY,
        draw=_too_little,
        case="finite B",
        parameter=MovingParameter(
            "Too small: below this share of the spread", (0.5, 0.6, 0.7, 0.8, 0.9, 1.0), 1.0, False
        ),
        notice=_missing_noise,
        corrections=(34,),
        source="Exact for a statistic that is normal over the halves; M = 2, divided by B as in the paper.",
    ),
)
