"""Audits by many runs and of attack scores: how often they say what is not so, and what they promise to say."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from benchmarks.timing import table
from numerics import Gaussian, Laplace
from numerics.audits import (
    ApproximateClaim,
    Claim,
    GdpClaim,
    ReleaseClaim,
    Scores,
    area_under_curve,
    at_least,
    claim_test,
    detectable,
    holm,
    measured_curve,
    roc_region,
    surely_gained,
)
from numerics.audits.cut_p_values import critical_counts
from numerics.audits.many_runs import ScoreTail, cut_risk
from numerics.epsilon_star import lower_bound
from numerics.epsilon_star.confidence import Ascending, end_ranks, tail_cuts
from numerics.trade_off import Floats, Order, TradeOffCurve

_RUNS = 200  # times the rounds
_ALPHA = np.concatenate((np.geomspace(1e-5, 0.5, 200), 1.0 - np.geomspace(0.5, 1e-5, 200)))
_DELTA = 1e-5
Draw = Callable[[np.random.Generator, int], Floats]


class Pair(NamedTuple):
    """Scores of the best attack on a release without and with the record."""

    null: Draw
    alternative: Draw

    def scores(self, rng: np.random.Generator, runs: int) -> Scores:
        """As many of each."""
        return Scores(self.null(rng, runs), self.alternative(rng, runs))


def gaussian(mu: float) -> Pair:
    """Of a release that is mu-Gaussian private and no more."""
    return Pair(lambda rng, n: rng.normal(size=n), lambda rng, n: rng.normal(mu, 1.0, n))


LAPLACE = Pair(lambda rng, n: rng.laplace(size=n), lambda rng, n: rng.laplace(1.0, 1.0, n))
SAMPLED = Pair(  # one Poisson-sampled release of noise 1
    lambda rng, n: rng.normal(size=n), lambda rng, n: rng.normal(size=n) + (rng.random(n) < 0.3)
)


def refutations(rounds: int) -> str:
    """Table: share of audits that refute a claim that is true, at most 5 %, and one whose violation is detectable."""
    runs, rows = _RUNS * rounds, []
    true: dict[str, tuple[Claim, Pair]] = {
        "1-GDP": (GdpClaim(1.0), gaussian(1.0)),
        "2-GDP": (GdpClaim(2.0), gaussian(2.0)),
        "Laplace noise 1": (ReleaseClaim(Laplace(1.0)), LAPLACE),
        "(1, 0)-DP, Laplace noise 1": (ApproximateClaim(1.0, 0.0), LAPLACE),
        "Gaussian noise 1, rate 0.3": (ReleaseClaim(Gaussian(1.0, 0.3)), SAMPLED),
        "no information": (GdpClaim(0.0), gaussian(0.0)),
    }
    for name, (claim, pair) in true.items():
        rows += [[name, "true", f"{n:,}", str(runs), _share(_refuted(claim, pair, n, runs))] for n in (50, 100, 1000)]
    for n in (100, 1000):
        mu = detectable(GdpClaim(1.0), n, n) or 0.0
        share = _share(_refuted(GdpClaim(1.0), gaussian(mu), n, runs))
        rows.append(["1-GDP", f"{mu:.3f}-GDP, said to be found in 80 %", f"{n:,}", str(runs), share])
    return table(["claim", "truth", "runs a world", "audits", "refuted"], rows)


def coverage(rounds: int) -> str:
    """Table: share of audits in which a statement about one model's attack scores is wrong, at most 5 %."""
    runs, rows = _RUNS * rounds, []
    for mu in (0.0, 1.0, 2.0):
        truth, area = ndtr(ndtri(_ALPHA) + mu), float(ndtr(mu / np.sqrt(2.0)))
        gain = float(2.0 * ndtr(mu / 2.0) - 1.0)
        for n in (50, 1000, 20_000):
            rng, wrong = np.random.default_rng(n), []
            for _ in range(runs if n < 20_000 else runs // 5):
                scores = gaussian(mu).scores(rng, n)
                found = area_under_curve(scores)
                wrong.append(
                    [
                        _leaves(roc_region(scores, _ALPHA), truth),
                        _leaves(measured_curve(scores, np.array([0.01])), ndtr(ndtri(np.array([0.01])) + mu)),
                        not found.lower <= area <= found.upper,
                        not found.estimate[0] <= area <= found.estimate[1],
                        surely_gained(scores) > gain,
                    ]
                )
            rows.append([f"{mu:g}", f"{n:,}", str(len(wrong)), *map(_share, np.transpose(wrong))])
    header = ["mu", "scores a group", "audits", "whole curve", "TPR at 0.01", "AUC", "DeLong (estimate)", "advantage"]
    return table(header, rows)


def families(rounds: int) -> str:
    """Table: share of audits of several null slices or epochs that show something, at most 5 % where corrected."""
    runs, rng, rows = _RUNS * rounds // 4, np.random.default_rng(0), []
    epochs, slices = [], []
    for _ in range(runs):
        parts = [gaussian(0.0).scores(rng, 100) for _ in range(10)]
        bounds = [lambda level, part=part: _bound(part, level) for part in parts]
        epochs.append([max(bound(0.95) for bound in bounds) > 0.0, at_least(1, bounds) > 0.0])
        p_values = np.array([claim_test(part, GdpClaim(0.0)).p_value for part in parts[:4]])
        slices.append([bool(np.any(p_values <= 0.05)), bool(np.any(holm(p_values)))])
    for name, found in (("10 epochs of 100 and 100, the best bound", epochs), ("4 slices of 100 and 100", slices)):
        rows.append([name, str(runs), *map(_share, np.transpose(found))])
    return table(["null scores", "audits", "each at 95 %", "corrected"], rows)


def _bound(scores: Scores, level: float) -> float:
    train, population = (Ascending(np.sort(-side)) for side in scores[::-1])
    return lower_bound(train, population, _DELTA, level).value


def _refuted(claim: Claim, pair: Pair, n: int, runs: int) -> Sequence[bool]:
    """Whether each audit refutes the claim, by critical counts, which are compared with the test itself at first."""
    ranks, risk = end_ranks(n), cut_risk(n, 0.95)
    critical = {order: critical_counts(claim, order, n, ranks, n, risk) for order in (Order.ADD, Order.REMOVE)}
    rng, found = np.random.default_rng(n), []
    for run in range(runs):
        scores = pair.scores(rng, n)
        sides = Ascending(np.sort(scores.null)), Ascending(np.sort(scores.alternative))
        beyond = False
        for reading in ScoreTail:
            null, other = sides if reading.order is Order.ADD else sides[::-1]
            beyond |= bool(np.any(tail_cuts(other, null, reading.above)[0].named >= critical[reading.order]))
        if run < 10 and beyond != claim_test(scores, claim).is_refuted:
            raise AssertionError(f"the test of {claim.label} and its critical counts differ")
        found.append(beyond)
    return found


def _leaves(curve: TradeOffCurve, truth: Floats) -> bool:
    if curve.lower is None or curve.upper is None:
        raise ValueError("a measured curve has limits")
    return bool(np.any(truth < curve.upper.power) or np.any(truth > curve.lower.power))


def _share(found: Sequence[bool]) -> str:
    return f"{100.0 * float(np.mean(found)):.1f} %"
