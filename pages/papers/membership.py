"""Membership games: noise for an eta, what follows from it, and composition (Izzo et al. 2022)."""

from collections.abc import Callable
from functools import partial
from math import sqrt
from statistics import NormalDist

import numpy as np

from numerics.mechanisms import Adjacency
from numerics.membership import worst_case_data
from numerics.membership.halves import (
    FiniteRelease,
    HalfReleases,
    one_subset,
    one_subset_eta,
    tightest,
    two_halves_of_a_secret,
)
from numerics.membership.noise_scale import EstimatedNoise, corollary_14_scale, crossing, found_by_size, private_scale
from numerics.membership.one_swap import OneSwap, SwapNoise, scale_of_spread
from numerics.membership.shares import eta_of_epsilon_and_share, posterior_limits
from numerics.trade_off import Bound
from pages.papers import corrections
from pages.papers.question import Drawing, Drawn, Knob, Link, Panel, Paper, Printed, Question
from pages.ui.address import query
from pages.ui.catalog import ATTACKERS
from plotting import theme
from plotting.lines import Dots, Line, LineAxis

PAPER = Paper("002", "Izzo, Yoon, Arık and Zou", "2022", "Provable membership inference privacy")
GROUP = "Membership games"
_question = partial(Question, GROUP, PAPER)
_ETA = LineAxis("Accuracy above guessing η", ends=(0.0, 0.52))
_WANTED = np.geomspace(1e-5, 0.45, 121)


def _noise_for_eta(records: float) -> Drawing:
    """On data made so that one replaced record can change everything (Proposition 11)."""
    change = worst_case_data.sensitivity(int(records))

    def line(name: str, scale: Callable[[float], float], color: str, symbol: str = "") -> Line:
        return Line(name, _WANTED, np.array([scale(eta) for eta in _WANTED.tolist()]), color, Bound.LOWER, symbol)

    parts: list[Drawn] = [
        line("DP", lambda eta: private_scale(eta, change), theme.KNOWS_ALL),
        line("paper, σ = 1", lambda eta: corollary_14_scale(eta, 1.0), theme.DRAW_UNKNOWN, "circle"),
        line("paper, σ = √5", lambda eta: corollary_14_scale(eta, sqrt(5.0)), theme.DRAW_UNKNOWN, "square"),
        line(
            "one-swap bound, σ = 1",
            lambda eta: scale_of_spread(eta, 1.0, SwapNoise.LAPLACE),
            theme.COMPARED[0],
            "cross",
        ),
    ]
    met = [crossing(change, spread) for spread in (1.0, sqrt(5.0))]
    etas = np.array([eta for eta in met if eta is not None and _WANTED[0] <= eta <= _WANTED[-1]])
    if len(etas):
        heights = np.array([private_scale(float(eta), change) for eta in etas])
        parts.append(Dots("crossing", etas, heights, symbol="x-thin"))
    across = LineAxis("Wanted accuracy above guessing η", log=True, ends=(1e-5, 0.5))
    why = "Attackers finds noise for an η on bundled data; the paper's worst case is here alone."
    return Drawing.of((across, LineAxis("Noise scale", log=True, ends=(0.1, 1e12))), parts, why)


_MET = Printed(
    "η from which the paper's noise is less, n = 36",
    "Sec. 4",
    0.01,
    lambda: crossing(worst_case_data.sensitivity(36)) or np.nan,
    why="the claim holds, from a smaller η on",
)
_GOAL, _NEAR, _RUNS = 0.1, 15, 8000  # records that are alike; half of the runs choose the attack's threshold
_BUDGETS = np.array([2, 5, 10, 20, 50, 100, 200])


def _asked_and_reached(distance: float) -> Drawing:
    """Noise whose scale is estimated from the private data (Algorithm 1), and an attack on it."""
    near = [NormalDist().inv_cdf((each + 0.5) / (_NEAR + 1)) for each in range(_NEAR)]
    data, budgets, ends = np.array([*near, distance]), _BUDGETS.tolist(), np.array([2.0, 200.0])
    drawn = [EstimatedNoise(data, _GOAL, one).draw(np.random.default_rng(one), _RUNS) for one in budgets]
    reached = np.array([found_by_size(one, _NEAR) for one in drawn])
    error = 1.96 * np.sqrt((0.25 - reached**2) / (_RUNS / 2))
    halves = HalfReleases.of(data, lambda members: np.asarray(np.mean(members, axis=1)))
    scale = corollary_14_scale(_GOAL, halves.spread(2.0), 2.0)
    swap = OneSwap.of_mean(data, SwapNoise.LAPLACE, scale).eta()
    parts: list[Drawn] = [
        Line("asked for", ends, np.full(2, _GOAL), theme.NEUTRAL, None),
        Line("spread known", ends, np.full(2, halves.eta(scale)), theme.DRAW_UNKNOWN),
        Line("spread known, one-swap bound", ends, np.full(2, swap), theme.COMPARED[0], Bound.LOWER, "cross"),
        Dots("attack", _BUDGETS.astype(float), reached, theme.MEASURED, error, "circle"),
    ]
    why = "No tool page adds noise whose scale is estimated from the private data: it protects nobody."
    return Drawing.of((LineAxis("Halves tried, B", log=True, ends=(1.8, 230.0)), _ETA), parts, why)


_KEEPS = _question(
    "noise-for-eta", "How much noise keeps η?", "One-swap bound and attack ours.", "MIP spread Laplace estimated noise"
).answered_by(
    Panel(
        "Fig. 1: Noise for a wanted η on data made so that one replaced record can change everything",
        Knob("Records in the pool n", (20, 24, 28, 30, 32, 34, 36, 40, 48), 36),
        _noise_for_eta,
        "At η = 0.01 differential privacy takes noise of {DP @ 0.01|2}, the paper's constant "
        "{paper, σ = 1 @ 0.01|2}, and the one-swap bound {one-swap bound, σ = 1 @ 0.01|2}. The fewer the records, "
        "the more often the paper's constant asks for more than differential privacy.",
        printed=(_MET,),
        corrections=(32, 35, 36),
        ours="The paper shows several n at once. The spread of these data is close to 1; √5 is what the paper proves. "
        "The one-swap bound is ours: a swap moves the statistic on average by twice its spread at most.",
    ),
    Panel(
        "Alg. 1: Noise whose scale is estimated from the private data, and an attack",
        Knob("Where one record is, 15 others within 2", (3, 10, 30, 100, 1000), 100, ""),
        _asked_and_reached,
        f"The attack reaches an η of {{attack @ 2|.3f}} at B = 2 and of {{attack @ 200|.3f}} at B = 200, where "
        f"η = {_GOAL:g} is asked for: the noise's own scale tells who is in. Noise for the true spread leaves "
        "{spread known @ 2|2}, by the one-swap bound at most {spread known, one-swap bound @ 2|2}.",
        f"η = {_GOAL:g} asked for, {_NEAR} other records",
        corrections=(32, 34),
        ours=f"Simulated on arrival: {_RUNS:,} runs a point, half of them to choose the threshold; bars hold 95 %. The "
        "mean is released, M = 2. Data and attack are ours; the paper itself guarantees nothing for finite B.",
        is_slow=True,
    ),
    corrections.PANELS[33],
)


_EPSILONS = np.linspace(0.0, 6.0, 61)
_EPSILON = LineAxis("ε", ends=(0.0, 6.0))
_EXAMPLE = "No tool page takes releases of a handful of outputs."


def _eta_of_epsilon(share: float) -> Drawing:
    half, other = (
        [eta_of_epsilon_and_share(each, 0.0, drawn) for each in _EPSILONS.tolist()] for drawn in (0.5, share)
    )
    lines = [
        Line("half drawn", _EPSILONS, np.array(half), theme.DRAW_UNKNOWN, Bound.LOWER),
        Line("this share drawn", _EPSILONS, np.array(other), theme.COMPARED[0], Bound.LOWER, "cross"),
        Line("ε / 4", _EPSILONS, 0.25 * _EPSILONS, theme.COMPARED[1], Bound.ESTIMATE),
    ]
    opens: Link | str = "Attackers converts ε to η for half of the records, which is the right end of the slider."
    if share == 0.5:
        stated = {"epsilon": 4.0, "delta": 0.0, "adjacency": Adjacency.REPLACE_ONE.value}
        own = {f"attackers.convert_{key}": value for key, value in stated.items()}
        opens = ATTACKERS, query({"attackers.part": "converters", **own}, {})
    return Drawing.of((_EPSILON, _ETA), lines, opens)


def _one_subset(runs: float) -> Drawing:
    """The accusing output comes with a probability that happens to be eta."""
    sizes, counted = np.arange(2.0, 41.0, 2.0), np.arange(2.0, 13.0, 2.0)  # of these all outputs are enumerated as well
    eta = np.array([one_subset_eta(int(size)) for size in sizes])
    releases = [one_subset(int(size), int(size) // 2) for size in counted]
    parts: list[Drawn] = [
        Line("η", sizes, eta, theme.DRAW_UNKNOWN),
        Line("exposed", sizes, -np.expm1(runs * np.log1p(-eta)), theme.MEMBER, symbol="circle"),
        Dots("η, counted", counted, np.array([one.eta for one in releases]), symbol="x-thin"),
        Dots("P(in), accused", counted, np.array([np.nanmax(one.posteriors) for one in releases])),
    ]
    axes = LineAxis("Records n, half of them drawn", ends=(0.0, 41.0)), LineAxis("Probability", True, (1e-12, 2.0))
    return Drawing.of(axes, parts, f"{_EXAMPLE} This one is made to have no ε.")


def _after_every_output(share: float) -> Drawing:
    limits = [posterior_limits(float(epsilon), share) for epsilon in _EPSILONS]
    parts: list[Drawn] = [
        Line("most", _EPSILONS, np.array([one.high for one in limits]), theme.MEMBER, Bound.LOWER, "triangle-up"),
        Line("least", _EPSILONS, np.array([one.low for one in limits]), theme.OUTSIDER, Bound.LOWER, "triangle-down"),
    ]
    if share == 0.5:  # one of two records: the example at which Theorem 4 is an equality reaches both limits
        found = [tightest(epsilon, 0.0).posteriors for epsilon in (1.0, 2.0, 3.0, 4.0)]
        ends = [end(one) for end in (np.nanmin, np.nanmax) for one in found]
        parts.append(Dots("reached", np.tile(np.arange(1.0, 5.0), 2), np.array(ends)))
    blind = Line("share drawn", np.array([0.0, 6.0]), np.array([share, share]), theme.NEUTRAL, None)
    why = "Mechanism says what one output does to a suspicion, for a release and not for an ε alone."
    return Drawing.of((_EPSILON, LineAxis("P(in | output)", ends=(0.0, 1.0))), parts, why, blind)


_FOLLOWS = _question(
    "membership-and-dp",
    "Does membership privacy follow from differential privacy, or the other way round?",
    "Examples ours; the paper has no figures of these.",
    "theorem posterior odds epsilon eta",
).answered_by(
    Panel(
        "Theorem 4: η that follows from ε when k of n records are drawn, not half of them",
        Knob("Share k/n that is drawn", (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5), 0.1, ""),
        _eta_of_epsilon,
        "At ε = 4 an attacker gains at most {this share drawn @ 4|2} on the better constant answer with this share "
        "drawn, and {half drawn @ 4|2} with half drawn. Where few are drawn, always saying “out” is seldom wrong.",
        corrections=(27, 30),
        ours="δ = 0, replaced records. Printed for half of them, where ε/4 is 8 % above η at ε = 1; other shares ours.",
    ),
    Panel(
        "Theorem 5: Theorems 5 and 7: as small an η as one likes, and no differential privacy of any kind",
        Knob("Runs, each with a new draw", (1, 100, 1000, 10_000, 100_000), 1000, ""),
        _one_subset,
        "A release that says whether one certain half of n = 20 was drawn has an η of {η @ 20|2}, and no ε: when "
        "it says yes, its members are certain. In so many runs that happens with probability {exposed @ 20|2}.",
        ours="η = 1 / C(n, n/2), by counting all outputs up to n = 12; the accusing output is as likely.",
    ),
    Panel(
        "Prop. 6: What an ε-DP release leaves possible after every output: the chance that a record was drawn",
        Knob("Share k/n that is drawn", (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9), 0.5),
        _after_every_output,
        "At ε = 1 the chance of having been drawn is left between {least @ 1|2} and {most @ 1|2}, whatever comes out. "
        "At ε = 6 it can be lifted to {most @ 6|4}: the rarer the record was at first, the more it takes.",
        corrections=(27,),
        ours="Printed is the limit on the odds of being out; that of being in follows alike. Replaced records, δ = 0.",
    ),
    corrections.PANELS[28],
)


_CHANCES = np.linspace(0.0, 1.0, 11)


def _told(release: FiniteRelease) -> list[FiniteRelease]:
    """The release with each of the chances, and otherwise a blank."""
    blank = np.ones((len(release.chances), 1))
    return [FiniteRelease(release.inside, np.hstack([p * release.chances, (1.0 - p) * blank])) for p in _CHANCES]


def _together(lie: float) -> Drawing:
    first, second = two_halves_of_a_secret()
    flipped = FiniteRelease(second.inside, second.chances @ np.array([[1.0 - lie, lie], [lie, 1.0 - lie]]))
    one, other = _told(first), _told(flipped)
    both = np.array([max(each.then(after).eta, 0.0) for each, after in zip(one, other, strict=True)])
    lines = [
        Line("first alone", _CHANCES, np.array([each.eta for each in one]), theme.COMPARED[0], symbol="circle"),
        Line("second alone", _CHANCES, np.array([each.eta for each in other]), theme.COMPARED[1], symbol="x"),
        Line("both together", _CHANCES, both, theme.DRAW_UNKNOWN),
    ]
    axes = LineAxis("Chance that each release is told", ends=(0.0, 1.0)), _ETA
    return Drawing.of(axes, lines, f"{_EXAMPLE} Attackers has the one-swap bound, which composes.")


_COMPOSES = _question(
    "does-it-compose", "Does membership privacy compose?", "The example is ours.", "composition several releases"
).answered_by(
    Panel(
        "Sec. 5: What the paper leaves open: two releases that tell nothing alone",
        Knob("Chance that the second release lies", (0.0, 0.05, 0.1, 0.2, 0.3, 0.5), 0.0, ""),
        _together,
        "Each release alone says nothing of any record; both together have an η of {both together @ 1|2}. So η "
        "does not compose, unless the second is pure chance. The one-swap bound of independent noise does.",
        corrections=(32,),
        ours="Three of six records are drawn. One release names the pair of complementary triples, the other whether "
        "the triple is in a design of ten that holds every record equally often.",
    ),
)

QUESTIONS = (_KEEPS, _FOLLOWS, _COMPOSES)
