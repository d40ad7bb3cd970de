"""Theorems 4, 5, 7 and 8, Proposition 6 and composition: what eta follows from, and what it leaves open."""

import numpy as np

from numerics.membership.halves import (
    FiniteRelease,
    one_subset,
    one_subset_eta,
    tightest,
    two_halves_of_a_secret,
)
from numerics.membership.shares import eta_of_epsilon_and_share, posterior_limits
from numerics.trade_off import Bound, Floats
from pages.papers.figure import Drawing, MovingParameter, PaperFigure, Printed
from pages.papers.paper_002 import noise_scales
from pages.ui.catalog import ATTACKERS
from pages.ui.numbers_in_words import nearest
from plotting import theme
from plotting.lines import Dots, Line, LineAxis

_ADVANTAGE = LineAxis("Accuracy above guessing η", ends=(0.0, 0.52))
_RATES = LineAxis("False positive rate", ends=(0.0, 1.0)), LineAxis("Members found", ends=(0.0, 1.0))
_CHANCES = np.linspace(0.0, 1.0, 11)
_EPSILONS = np.linspace(0.0, 6.0, 61)
_EPSILON = LineAxis("ε", ends=(0.0, 6.0))
_SHARES = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9)
_SIZES = np.arange(2, 41, 2)
_COUNTED = 12  # records, up to which all outputs are enumerated as well


def _told(release: FiniteRelease, chance: float) -> FiniteRelease:
    """The release with this chance, and otherwise a blank."""
    blank = np.full((len(release.chances), 1), 1.0 - chance)
    return FiniteRelease(release.inside, np.hstack([chance * release.chances, blank]))


def _together(lie: float) -> Drawing:
    first, second = two_halves_of_a_secret()
    flipped = FiniteRelease(second.inside, second.chances @ np.array([[1.0 - lie, lie], [lie, 1.0 - lie]]))
    pairs = [(_told(first, float(chance)), _told(flipped, float(chance))) for chance in _CHANCES]
    lines = [
        Line(name, _CHANCES, np.array(values), color, symbol=symbol)
        for name, values, color, symbol in (
            ("first alone", [one.eta for one, _ in pairs], theme.COMPARED[0], "circle"),
            ("second alone", [other.eta for _, other in pairs], theme.COMPARED[1], "x"),
            ("both together", [one.then(other).eta for one, other in pairs], theme.DRAW_UNKNOWN, ""),
        )
    ]
    values = ", ".join(f"{line.name} {max(line.y[-1], 0.0):.3f}" for line in lines)
    alt = f"Eta of two releases of one draw, of which the second lies with a chance of {lie:g}: always told, {values}."
    return Drawing.of(alt, (LineAxis("Chance that each release is told", ends=(0.0, 1.0)), _ADVANTAGE), lines)


def _after_every_output(share: float) -> Drawing:
    limits = [posterior_limits(float(epsilon), share) for epsilon in _EPSILONS]
    lines = [
        Line("most", _EPSILONS, np.array([one.high for one in limits]), theme.MEMBER, Bound.LOWER, "triangle-up"),
        Line("least", _EPSILONS, np.array([one.low for one in limits]), theme.OUTSIDER, Bound.LOWER, "triangle-down"),
    ]
    dots = []
    if share == 0.5:  # one of two records: the example at which Theorem 4 is an equality reaches both limits
        epsilons = np.array([1.0, 2.0, 3.0, 4.0])
        found = [tightest(float(epsilon), 0.0).posteriors for epsilon in epsilons]
        reached = np.array([(np.nanmin(one), np.nanmax(one)) for one in found])
        dots = [Dots("reached", np.tile(epsilons, 2), reached.T.ravel())]
    blind = Line("share drawn", np.array([0.0, 6.0]), np.array([share, share]), theme.NEUTRAL, None)
    low, high = posterior_limits(1.0, share)
    alt = (
        f"Probability that a record was drawn after any output of an epsilon-DP release, a share of {share:g} drawn: "
        f"at epsilon 1 between {low:.3g} and {high:.3g}."
    )
    return Drawing.of(alt, (_EPSILON, LineAxis("P(in | output)", ends=(0.0, 1.0))), lines, dots, blind)


def _eta_of_epsilon(share: float) -> Drawing:
    half, other = (
        np.array([eta_of_epsilon_and_share(float(epsilon), 0.0, drawn) for epsilon in _EPSILONS])
        for drawn in (0.5, share)
    )
    lines = [
        Line("half drawn", _EPSILONS, half, theme.DRAW_UNKNOWN, Bound.LOWER),
        Line(f"{share:g} drawn", _EPSILONS, other, theme.COMPARED[0], Bound.LOWER, "cross"),
        Line("ε / 4", _EPSILONS, 0.25 * _EPSILONS, theme.COMPARED[1], Bound.ESTIMATE),
    ]
    values = ", ".join(f"{line.name} {np.interp(4.0, line.x, line.y):.3f}" for line in lines[:2])
    alt = f"Largest gain on the better constant answer against epsilon, delta 0: at epsilon 4, {values}."
    return Drawing.of(alt, (_EPSILON, _ADVANTAGE), lines)


def _one_subset(runs: float) -> Drawing:
    """The accusing output comes with a probability that happens to be eta."""
    eta = np.array([one_subset_eta(int(size)) for size in _SIZES])
    exposed = -np.expm1(runs * np.log1p(-eta))
    sizes = _SIZES.astype(float)
    counted = _SIZES[_SIZES <= _COUNTED]
    releases = [one_subset(int(size), int(size) // 2) for size in counted]
    lines = [
        Line("η", sizes, eta, theme.DRAW_UNKNOWN),
        Line("exposed", sizes, exposed, theme.MEMBER, symbol="circle"),
    ]
    dots = [
        Dots("η, counted", counted.astype(float), np.array([one.eta for one in releases]), symbol="x-thin"),
        Dots("P(in), accused", counted.astype(float), np.array([np.nanmax(one.posteriors) for one in releases])),
    ]
    at = int(np.flatnonzero(_SIZES == 20)[0])
    alt = (
        f"A release that says whether one subset was drawn, {runs:g} runs: with 20 records eta is {eta[at]:.2g}, and "
        f"its members are exposed at least once with probability {exposed[at]:.2g}."
    )
    axes = (
        LineAxis("Records n, half of them drawn", ends=(0.0, 41.0)),
        LineAxis("Probability", log=True, ends=(1e-12, 2.0)),
    )
    return Drawing.of(alt, axes, lines, dots)


def _rates(epsilon: float) -> Drawing:
    """The best attack on the example at which Theorem 4 is an equality, with what is stated and what holds."""
    release = tightest(epsilon, 0.0)
    eta, found = release.eta, _best_attack(release)
    ends = np.array([0.0, 1.0])
    lines = [
        Line("FPR + η, as stated", *_up_to_one(eta), theme.NOT_VALID, None),
        Line("FPR + 2η", *_up_to_one(2.0 * eta), theme.DRAW_UNKNOWN, Bound.LOWER),
        Line("best attack", *found, theme.MEASURED, symbol="circle"),
    ]
    gap = float(np.max(found[1] - found[0]))
    alt = (
        f"The best attack on a release of epsilon {epsilon:g}, eta {eta:.4f}: its true positive rate is up to "
        f"{gap:.4f} above the false positive rate, {gap / eta:.2f} times eta."
    )
    return Drawing.of(alt, _RATES, lines, blind=Line("guessing", ends, ends, theme.NEUTRAL, None))


def _up_to_one(gap: float) -> tuple[Floats, Floats]:
    """The line of a gap between both rates, which ends at 1."""
    rates = np.array([0.0, 1.0 - gap, 1.0])
    return rates, np.minimum(1.0, rates + gap)


def _best_attack(release: FiniteRelease) -> tuple[Floats, Floats]:
    """Its false and true positive rates on the first record: outputs are accused in the order of their evidence."""
    inside = release.inside[:, 0]
    present, absent = release.chances[inside].mean(axis=0), release.chances[~inside].mean(axis=0)
    order = np.argsort(-np.nan_to_num(release.posteriors[0]))
    absent, present = (np.concatenate(([0.0], np.cumsum(side[order]))) for side in (absent, present))
    return absent, present


def _gap_in_etas() -> float:
    release = tightest(1.0, 0.0)
    false, true = _best_attack(release)
    return float(np.max(true - false)) / release.eta


def _gap(seen: Drawing) -> str:
    eta = seen.at("FPR + η, as stated", 0.0)
    false, found = seen.series("best attack")
    return (
        f"η is {eta:.3f}, and the rates of the best attack on this release are {np.max(found - false):.3f} apart: "
        "twice η, at every ε. The proof takes joint for conditional probabilities, and half of the records are members."
    )


def _left_possible(seen: Drawing) -> str:
    least, most, far = seen.at("least", 1.0), seen.at("most", 1.0), seen.at("most", 6.0)
    return (
        f"At ε = 1 the chance of having been drawn is left between {least:.2g} and {most:.2g}, whatever comes out. At "
        f"ε = 6 it can be lifted to {far:.4g}: the rarer the record was to begin with, the more it takes."
    )


def _both(seen: Drawing) -> str:
    return (
        "Each release alone says nothing of any record. Both together have an η of "
        f"{max(seen.at('both together', 1.0), 0.0):.2g}: short of a second one that is pure chance, at the right end "
        "of the slider, η does not compose."
    )


def _gain(seen: Drawing) -> str:
    half, other = (seen.at(name, 4.0) for name in seen.names[:2])
    return (
        f"At ε = 4 an attacker gains at most {max(other, 0.0):.2g} on the better constant answer with this share "
        f"drawn, and {half:.2g} with half drawn. Where few are drawn, who always "
        "says “out” is seldom wrong, and a small ε leaves nothing to gain on that."
    )


def _exposed(seen: Drawing) -> str:
    eta, exposed = (nearest(seen.at(name, 20.0), 2) for name in ("η", "exposed"))
    return (
        f"At n = 20 a release that says whether one certain half was drawn has an η of {eta}, and no ε: when it says "
        f"yes, its members are certain. In so many runs they are exposed at least once with a probability of {exposed}."
    )


FIGURES = (
    PaperFigure(
        "002 Theorem 8",
        "How far the true positive rate can be above the false positive rate under η-membership privacy.",
        ATTACKERS,
        noise_scales.QUERY,
        draw=_rates,
        parameter=MovingParameter("ε of the release, whose η is tight", (0.25, 0.5, 1, 2, 3, 4), 1, is_printed=False),
        notice=_gap,
        printed=(
            Printed(
                "largest gap of the rates, in units of η",
                "Theorem 8",
                1.0,
                _gap_in_etas,
                0.005,
                "the bound is wrong as stated, correction 28",
            ),
        ),
        corrections=(28,),
        source="The mechanism by which the paper shows Theorem 4 to be tight: two records, one drawn, δ = 0. All "
        "outputs are enumerated. The paper has no figure of the theorem.",
    ),
    PaperFigure(
        "002 Prop. 6",
        "What an ε-DP release leaves possible after every output: limits of the chance that a record was drawn.",
        ATTACKERS,
        noise_scales.QUERY,
        draw=_after_every_output,
        parameter=MovingParameter("Share k/n that is drawn", _SHARES, 0.5),
        notice=_left_possible,
        corrections=(27,),
        source="Printed is the limit on the odds of being out; that on the odds of being in follows alike. Replaced "
        "records, δ = 0.",
    ),
    PaperFigure(
        "002 Sec. 5",
        "Does membership privacy compose, which the paper leaves open: two releases that tell nothing alone.",
        ATTACKERS,
        noise_scales.QUERY,
        draw=_together,
        case="composition",
        parameter=MovingParameter("Chance that the second release lies", (0.0, 0.05, 0.1, 0.2, 0.3, 0.5), 0.0, False),
        notice=_both,
        corrections=(32,),
        source="Three of six records are drawn. The first release names the pair of complementary triples, the second "
        "whether the triple is in a design of ten that holds every record equally often. All outputs are enumerated. "
        "What composes is the one-swap bound of releases with independent noise (correction 32): one swap of two "
        "records moves all of them at once.",
    ),
    PaperFigure(
        "002 Theorem 4",
        "η that follows from ε when k of n records are drawn, not half of them.",
        ATTACKERS,
        noise_scales.QUERY,
        draw=_eta_of_epsilon,
        parameter=MovingParameter(
            "Share k/n that is drawn", (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5), 0.1, is_printed=False
        ),
        notice=_gain,
        corrections=(27,),
        source="δ = 0, replaced records. The theorem is printed for half of the records, where ε/4 is 8 % above η at "
        "ε = 1; other shares are ours.",
    ),
    PaperFigure(
        "002 Theorem 5",
        "Theorems 5 and 7: as small an η as one likes, and no differential privacy of any kind.",
        ATTACKERS,
        noise_scales.QUERY,
        draw=_one_subset,
        parameter=MovingParameter("Runs, each with a new draw", (1, 100, 1000, 10_000, 100_000), 1000, False),
        notice=_exposed,
        source="η = 1 / C(n, n/2), by counting all outputs up to n = 12. It is also the probability of the accusing "
        "output in one run.",
    ),
)
