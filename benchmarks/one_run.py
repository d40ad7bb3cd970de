"""One run with canaries: how often a true claim is refuted, and how often a violated one.

The first table has mechanisms that are exactly what is claimed, so that at most 5 % of the audits may refute it, and
shortcuts that are invalid and show it. In the second, canaries of gradient norm 1 are scored by their likelihood
ratio over 1,000 sampled steps, and the claim is tested against implementations that do not keep it.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from benchmarks.timing import table
from numerics.audits import ApproximateClaim, Canary, Claim, GdpClaim, ReleaseClaim, collected
from numerics.audits.one_run import Canaries, Guesses, if_independent, odds, p_value
from numerics.mechanisms import Gaussian
from numerics.trade_off import Floats

_RUNS, _FEW = 200, 4  # times the rounds
_CANARIES, _DETECTED = 1000, 2000
_RISK = 0.05
Bits = NDArray[np.bool_]
Draw = Callable[[np.random.Generator, Bits], Floats]  # scores of canaries with these coins


class Case(NamedTuple):
    """Scores whose mechanism keeps ``claim``, a test of it, and whether that is valid."""

    mechanism: str
    test: str
    draw: Draw
    p_value: Callable[[Canaries], float]
    is_valid: bool = True


def _randomised_response(epsilon: float) -> Draw:
    """Each coin is told rightly with probability e^epsilon / (1 + e^epsilon)."""
    return lambda rng, coins: np.where(rng.random(len(coins)) < expit(epsilon), coins, ~coins).astype(float)


def _normal(mu: float) -> Draw:
    return lambda rng, coins: rng.standard_normal(len(coins)) + mu * coins


def _or_all(draw: Draw, delta: float) -> Draw:
    """All coins are given away together with probability ``delta``."""
    return lambda rng, coins: coins.astype(float) if rng.random() < delta else draw(rng, coins)


def _or_each(draw: Draw, delta: float) -> Draw:
    """Each coin is given away, and known to be, with probability ``delta``."""

    def revealed(rng: np.random.Generator, coins: Bits) -> Floats:
        return np.where(rng.random(len(coins)) < delta, np.where(coins, 2.0, -1.0), draw(rng, coins))

    return revealed


def _by(claim: Claim) -> Callable[[Canaries], float]:
    return lambda canaries: p_value(canaries.guesses(), claim)


def _best_odds(epsilon: float) -> Callable[[Canaries], float]:
    """The smallest p-value of a single count, as if it had been the only one."""

    def smallest(canaries: Canaries) -> float:
        guesses = canaries.guesses()
        pairs = zip(guesses.counts, guesses.correct, strict=True)
        return min(odds.p_value(Guesses(guesses.canaries, (g,), (v,)), epsilon) for g, v in pairs)

    return smallest


def _cases() -> list[Case]:
    cases = []
    for epsilon in (0.5, 1.0, 2.0):
        name, draw = f"randomised response, epsilon {epsilon:g}", _randomised_response(epsilon)
        cases.append(Case(name, "all counts together", draw, _by(ApproximateClaim(epsilon, 0.0))))
        cases.append(Case(name, "best count, uncorrected", draw, _best_odds(epsilon), False))
    cases += [Case(f"Gaussian, mu {mu:g}", "curve", _normal(mu), _by(GdpClaim(mu))) for mu in (1.0, 2.0)]
    for delta in (1e-4, 1e-3):
        draw = _or_each(_randomised_response(1.0), delta)
        name = f"epsilon 1, each coin given away with {delta:g}"
        cases.append(Case(name, "curve", draw, _by(ApproximateClaim(1.0, delta))))
        cases.append(Case(name, "odds, all counts", draw, _odds(1.0, delta)))
    draw, name = _or_all(_randomised_response(0.5), 0.04), "epsilon 0.5, all coins given away with 0.04"
    cases.append(Case(name, "curve", draw, _by(ApproximateClaim(0.5, 0.04))))
    cases.append(Case(name, "delta left out", draw, _odds(0.5, 0.0), False))
    draw, name = _or_all(_randomised_response(0.0), 0.1), "all coins given away with 0.1, else nothing"
    claim = ApproximateClaim(0.0, 0.1)
    cases.append(Case(name, "curve", draw, _by(claim)))
    return [*cases, Case(name, "as if they did not interact", draw, _by_groups(claim), False)]


def _by_groups(claim: Claim) -> Callable[[Canaries], float]:
    return lambda canaries: if_independent(canaries, claim).test.p_value


def _odds(epsilon: float, delta: float) -> Callable[[Canaries], float]:
    return lambda canaries: odds.p_value(canaries.guesses(), epsilon, delta)


def false_refutations(rounds: int) -> str:
    """Table over mechanisms and tests: share of audits that refute the truth at 95 % confidence."""
    runs, rows = _RUNS * rounds, []
    for number, case in enumerate(_cases()):
        wrong = np.mean(
            [case.p_value(canaries_drawn(case.draw, _CANARIES, number, run)) <= _RISK for run in range(runs)]
        )
        error = np.sqrt(_RISK * (1.0 - _RISK) / runs)
        verdict = "at most 5 %" if case.is_valid else "invalid: more than 5 %"
        kept = (wrong <= _RISK + 2.0 * error) if case.is_valid else (wrong > _RISK)
        rows.append([case.mechanism, case.test, str(runs), f"{wrong:.1%}", verdict, "yes" if kept else "NO"])
    return table(["mechanism", "test", "audits", "refuted", "should be", "is"], rows)


def canaries_drawn(draw: Draw, size: int, *seed: int) -> Canaries:
    """Canaries with fair coins, and the scores that they get."""
    rng = np.random.default_rng(seed)
    while True:
        coins = rng.random(size) < 0.5
        try:
            return Canaries(draw(rng, coins), coins)
        except ValueError as refusal:  # coins that look unfair, one time in a thousand
            if "fair coins" not in str(refusal):
                raise


STATED = Gaussian(1.0, 0.01, 1000)
IMPLEMENTED: Mapping[str, Gaussian] = {
    "as stated": STATED,
    "noise 0.7": STATED.with_noise(0.7),
    "noise 0.5": STATED.with_noise(0.5),
    "rate 0.05": Gaussian(1.0, 0.05, 1000),
    "sampling forgotten": Gaussian(1.0, 1.0, 1000),
}


def detection(rounds: int) -> str:
    """Table over implementations of a claim of noise 1, rate 0.01, 1,000 steps: median p-value and share refuted."""
    claim, rows = ReleaseClaim(STATED), []
    for number, (name, implemented) in enumerate(IMPLEMENTED.items()):
        found = [p_value(_audited(implemented, number, run).guesses(), claim) for run in range(_FEW * rounds)]
        refuted = float(np.mean(np.array(found) <= _RISK))
        rows.append([name, str(len(found)), f"{np.median(found):.3g}", f"{refuted:.0%}"])
    return table(["implemented", "audits", "median p", "refuted"], rows)


def _audited(implemented: Gaussian, number: int, run: int) -> Canaries:
    """Canaries do not interact: each has its own scores without and with it."""
    scores = collected(Canary(implemented).rounds(_DETECTED, 1000 * number + run))
    return canaries_drawn(lambda _, coins: np.where(coins, scores.alternative, scores.null), _DETECTED, number, run)
