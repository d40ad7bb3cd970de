"""Noise for a target, against dp-accounting (epsilon) and riskcal (advantage, power), for case A."""

from collections.abc import Callable

from benchmarks import peers
from benchmarks.cases import CASES
from benchmarks.timing import interleaved, milliseconds, ratio, table
from numerics.calibration import AdvantageTarget, EpsilonTarget, PowerTarget, Target, noise_for
from numerics.privacy_loss import Precision
from numerics.privacy_loss.certify import forget

MECHANISM = CASES[0].mechanism
CONTESTS: tuple[tuple[Target, str, Callable[[], float]], ...] = (
    (EpsilonTarget(1.0, 1e-5), "dp-accounting", lambda: peers.dp_accounting_noise(MECHANISM, 1.0, 1e-5)),
    (AdvantageTarget(0.1), "riskcal", lambda: peers.riskcal_noise_for_advantage(MECHANISM, 0.1)),
    (PowerTarget(1e-2, 1e-3), "riskcal", lambda: peers.riskcal_noise_for_power(MECHANISM, 1e-2, 1e-3)),
    (PowerTarget(1e-3, 1e-5), "riskcal", lambda: peers.riskcal_noise_for_power(MECHANISM, 1e-3, 1e-5)),
)
# The peers take tens of seconds a run.
PEER_ROUNDS = 1


def our_noise(target: Target) -> float:
    """Our noise, from scratch."""
    forget()
    return noise_for(target, MECHANISM).noise_multiplier


def contests(rounds: int) -> str:
    """Table of times, noise, and what the attacker really reaches at that noise."""
    rows = []
    for target, peer, run in CONTESTS:
        ours = interleaved({"ours": lambda target=target: our_noise(target)}, rounds)["ours"]
        theirs = interleaved({peer: run}, PEER_ROUNDS, warm_up=False)[peer]
        rows.append([target.label, "ours", f"{ours.result:.6g}", _reached(target, ours.result), "", ""])
        rows[-1][4:] = [milliseconds(ours.seconds), ratio(ours.seconds, theirs.seconds)]
        rows.append(["", peer, f"{theirs.result:.6g}", _reached(target, theirs.result)])
        rows[-1] += [milliseconds(theirs.seconds), ""]
    return table(["target", "by", "noise", "truly reached / target", "time", "ratio"], rows)


def _reached(target: Target, noise: float) -> str:
    """The certified success of the attacker at this noise, relative to the target."""
    bracket = target.measure(MECHANISM.with_noise(noise), Precision(width=1e-6))
    verdict = "met" if bracket.upper <= target.goal else "MISSED" if bracket.lower > target.goal else "undecided"
    return f"{bracket.estimate / target.goal:.6f} {verdict}"
