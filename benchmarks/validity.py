"""How often audits say what is not so: at most one time in twenty, where 95 % is promised. Simulated.

``python -m benchmarks --only validity`` prints a row for each setting: what is audited, what would be false, and the
share of audits that say it. Rows that "should be invalid" are shortcuts that the project does not take, which shows
that the settings can tell.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.special import expit, ndtr, ndtri

from benchmarks.peers import drawn
from benchmarks.timing import table
from losses import Groups
from losses.groups import counted_once
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
    holm,
    one_row_each,
    roc_region,
    surely_gained,
)
from numerics.audits.one_run import p_value
from numerics.epsilon_star import from_laws, lower_bound
from numerics.epsilon_star.confidence import Ascending
from numerics.trade_off import Floats

RISK, DELTA = 0.05, 1e-5
_RUNS = 100  # times the rounds
_ALPHA = np.concatenate((np.geomspace(1e-5, 0.5, 200), 1.0 - np.geomspace(0.5, 1e-5, 200)))
Rng = np.random.Generator
Bits = NDArray[np.bool_]
Draw = Callable[[Rng, int], Floats]


class Setting(NamedTuple):
    """What is audited, what would be false, whether one audit says it, and whether the way is valid."""

    audited: str
    false: str
    says: Callable[[Rng], bool]
    is_valid: bool = True


def rates(rounds: int) -> str:
    """Table of all settings."""
    rows, runs = [], _RUNS * rounds
    most = RISK + 2.0 * np.sqrt(RISK * (1.0 - RISK) / runs)
    for number, setting in enumerate(settings()):
        rng = np.random.default_rng(number)
        said = sum(setting.says(rng) for _ in range(runs))
        kept = said / runs <= most if setting.is_valid else said / runs > RISK
        # Twice the standard error; one more of each kind, so that 0 has an error too.
        share = f"{said / runs:.1%} ± {2.0 * np.sqrt((said + 1) * (runs - said + 1) / (runs + 2) ** 3):.1%}"
        wanted = "at most 5 %" if setting.is_valid else "invalid"
        rows.append([setting.audited, setting.false, f"{runs:,}", share, wanted, "yes" if kept else "NO"])
    return table(["audited", "false would be", "audits", "said", "should be", "is"], rows)


def settings() -> Iterator[Setting]:
    """All of them."""
    yield from _losses()
    yield from _dependent_rows()
    yield from _scores()
    yield from _many_runs()
    yield from _one_run()


def _bound(train: Floats, population: Floats, level: float = 1.0 - RISK) -> float:
    return lower_bound(Ascending(np.sort(train)), Ascending(np.sort(population)), DELTA, level).value


def _losses() -> Iterator[Setting]:
    """The lower bound on Epsilon*, where groups are alike and where the truth is known."""

    def says(rng: Rng, laws: tuple[Any, Any], n: int, truth: float) -> bool:
        return _bound(*(law.rvs(n, random_state=rng).astype(float) for law in laws)) > truth

    for name, law in (("Gamma(2)", stats.gamma(2)), ("0 or 1 (10 %)", stats.bernoulli(0.1))):
        for n in (100, 2000):
            alike = partial(says, laws=(law, law), n=n, truth=0.0)
            yield Setting(f"{name} for both, {n:,} losses each", "Epsilon* above 0", alike)
    for name, train, population in (
        ("N(0,1), N(1,1)", stats.norm(0, 1), stats.norm(1, 1)),
        ("N(0,1), N(0,1.5)", stats.norm(0, 1), stats.norm(0, 1.5)),
        ("Gamma(2), Gamma(3)", stats.gamma(2), stats.gamma(3)),
    ):
        truth = from_laws(train, population, DELTA).value
        apart = partial(says, laws=(train, population), n=2000, truth=truth)
        yield Setting(f"{name}, 2,000 losses each", f"Epsilon* above {truth:.3g}", apart)


def _dependent_rows() -> Iterator[Setting]:
    """Rows of one person, and copies: what counts, and all rows."""
    whose = np.repeat(np.arange(100), 10)

    def persons(rng: Rng, correlation: float, pooled: bool) -> bool:
        own = [rng.normal(size=100)[whose] for _ in range(2)]
        rows = [np.sqrt(correlation) * one + np.sqrt(1.0 - correlation) * rng.normal(size=1000) for one in own]
        one_each = [group[one_row_each(whose)] for group in rows]
        return _bound(*(rows if pooled else one_each)) > 0.0

    def copies(rng: Rng, pooled: bool) -> bool:
        train, population = (np.repeat(np.sort(rng.gamma(2.0, size=300)), 10) for _ in range(2))
        groups = counted_once(Groups(train, population))
        return (_bound(train, population) if pooled else _bound(groups.train, groups.population)) > 0.0

    for pooled in (False, True):
        how = "all rows" if pooled else "what counts"
        says = partial(persons, correlation=0.9, pooled=pooled)
        yield Setting(f"100 persons x 10 rows, correlation 0.9: {how}", "Epsilon* above 0", says, not pooled)
        yield Setting(f"300 losses x 10 copies: {how}", "Epsilon* above 0", partial(copies, pooled=pooled), not pooled)


def _normal(rng: Rng, mu: float, n: int) -> Scores:
    return Scores(rng.normal(size=n), rng.normal(mu, 1.0, n))


def _scores() -> Iterator[Setting]:
    """Of an attack on one model; and of several slices or epochs."""

    def leaves(rng: Rng, mu: float, n: int) -> bool:
        found, truth = roc_region(_normal(rng, mu, n), _ALPHA), ndtr(ndtri(_ALPHA) + mu)
        if found.lower is None or found.upper is None:
            raise ValueError("a measured curve has limits")
        return bool(np.any(truth < found.upper.power) or np.any(truth > found.lower.power))

    def misses(rng: Rng, mu: float, n: int) -> bool:
        found = area_under_curve(_normal(rng, mu, n))
        return not found.lower <= ndtr(mu / np.sqrt(2.0)) <= found.upper

    for mu in (0.0, 1.0):
        name = f"scores of effect {mu:g}, 300 each"
        yield Setting(name, "the whole curve elsewhere", partial(leaves, mu=mu, n=300))
        yield Setting(name, "another area", partial(misses, mu=mu, n=300))
        gain = float(2.0 * ndtr(mu / 2.0) - 1.0)
        yield Setting(name, "more advantage", lambda rng, mu=mu, gain=gain: surely_gained(_normal(rng, mu, 300)) > gain)

    def epochs(rng: Rng, corrected: bool) -> bool:
        parts = [_normal(rng, 0.0, 100) for _ in range(10)]
        bounds = [lambda level, part=part: _bound(-part.alternative, -part.null, level) for part in parts]
        return (at_least(1, bounds) if corrected else max(bound(1.0 - RISK) for bound in bounds)) > 0.0

    def slices(rng: Rng) -> bool:
        p_values = np.array([claim_test(_normal(rng, 0.0, 100), GdpClaim(0.0)).p_value for _ in range(4)])
        return bool(np.any(holm(p_values)))

    yield Setting("10 null epochs together", "something to find", partial(epochs, corrected=True))
    yield Setting("10 null epochs, the best bound", "something to find", partial(epochs, corrected=False), False)
    yield Setting("4 null slices together", "something to find", slices)


def _many_runs() -> Iterator[Setting]:
    """True claims at their boundary."""

    def refuted(rng: Rng, claim: Claim, null: Draw, other: Draw) -> bool:
        return claim_test(Scores(null(rng, 200), other(rng, 200)), claim).is_refuted

    def normal(rng: Rng, n: int) -> Floats:
        return rng.normal(size=n)

    def laplace(rng: Rng, n: int) -> Floats:
        return rng.laplace(size=n)

    yield Setting("1-GDP by 200 runs a world", "refuted", partial(
        refuted, claim=GdpClaim(1.0), null=normal, other=lambda rng, n: rng.normal(1.0, 1.0, n)))  # fmt: skip
    for claim in (ReleaseClaim(Laplace(1.0)), ApproximateClaim(1.0, 0.0)):
        yield Setting(f"{claim.label} by 200 runs a world", "refuted", partial(
            refuted, claim=claim, null=laplace, other=lambda rng, n: rng.laplace(1.0, 1.0, n)))  # fmt: skip
    yield Setting("Gaussian noise 1, rate 0.3, by 200 runs", "refuted", partial(
        refuted, claim=ReleaseClaim(Gaussian(1.0, 0.3)), null=normal,
        other=lambda rng, n: rng.normal(size=n) + (rng.random(n) < 0.3)))  # fmt: skip


def _one_run() -> Iterator[Setting]:
    """True claims about one run with 500 canaries."""

    def told(rng: Rng, coins: Bits, epsilon: float) -> Floats:
        return np.where(rng.random(len(coins)) < expit(epsilon), coins, ~coins).astype(float)

    def together(rng: Rng, coins: Bits) -> Floats:
        return coins.astype(float) if rng.random() < 0.04 else told(rng, coins, 0.5)

    def refuted(rng: Rng, claim: Claim, scores: Callable[[Rng, Bits], Floats]) -> bool:
        return p_value(next(drawn(rng, 500, scores)).guesses(), claim) <= RISK

    cases: dict[str, tuple[Claim, Callable[[Rng, Bits], Floats]]] = {
        "randomised response, epsilon 1": (ApproximateClaim(1.0, 0.0), partial(told, epsilon=1.0)),
        "Gaussian, mu 1": (GdpClaim(1.0), lambda rng, coins: rng.standard_normal(len(coins)) + coins),
        "epsilon 0.5, all coins given away with 0.04": (ApproximateClaim(0.5, 0.04), together),
    }
    for name, (claim, scores) in cases.items():
        yield Setting(f"one run, {name}", "refuted", partial(refuted, claim=claim, scores=scores))
