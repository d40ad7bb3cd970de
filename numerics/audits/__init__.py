"""Audits: simulated and real attacks, whose measured trade-off curves belong beside the theory's.

========================================================  =====================================================
Noisy gradients with and without a canary                 ``Canary(mechanism, attacker, dimension)``
Shadow models and the logit of a record                   ``OfflineAttack(features, labels, targets, Training(...))``
Is this gradient part of that average? Simulated ...      ``SimulatedGradients(dimension, batch, susceptibility)``
... and with a real model's gradients                     ``RealGradients(population, background, batch)``
Run it, with progress, until stopped                      ``.rounds(rounds, seed)``, ``collected(progress)``
The measured curve with exact limits                      ``measured_curve(scores, alpha, Confidence(...))``
Where it lies against the theory                          ``positions(measured, theory)``
A claimed curve                                           ``ReleaseClaim``, ``GaussianClaim``, ``ApproximateClaim``
Do many runs with and without a record keep to it?        ``claim_verdict(scores, claim)``, ``claim_test``
How many runs would refute it?                            ``runs_needed(claim, truth)``, ``detectable``
Epsilon from the counts at one preset threshold           ``clopper_pearson_epsilon(Counts(...), delta)``
========================================================  =====================================================
"""

from numerics.audits.audit_design import (
    can_refute,
    detectable,
    fewest_runs,
    power_curve,
    power_reached,
    runs_needed,
)
from numerics.audits.canary import Attacker, Canary
from numerics.audits.claim import ApproximateClaim, Claim, GaussianClaim, ReleaseClaim
from numerics.audits.glir import Background, RealGradients, SimulatedGradients, log_p_value, statistic
from numerics.audits.logit_space import OfflineAttack
from numerics.audits.many_runs import ClaimTest, Cut, Reading, claim_test, largest_refuted
from numerics.audits.measured import Confidence, Position, measured_curve, positions
from numerics.audits.preset_threshold import Counts, bayesian_epsilon, clopper_pearson_epsilon
from numerics.audits.rounds import Progress, Scores, collected, ordered
from numerics.audits.softmax import Training, clip_factors, gradients
from numerics.audits.verdict import Answer, ClaimVerdict, claim_verdict

__all__ = [
    "Answer",
    "ApproximateClaim",
    "Attacker",
    "Background",
    "Canary",
    "Claim",
    "ClaimTest",
    "ClaimVerdict",
    "Confidence",
    "Counts",
    "Cut",
    "GaussianClaim",
    "OfflineAttack",
    "Position",
    "Progress",
    "Reading",
    "RealGradients",
    "ReleaseClaim",
    "Scores",
    "SimulatedGradients",
    "Training",
    "bayesian_epsilon",
    "can_refute",
    "claim_test",
    "claim_verdict",
    "clip_factors",
    "clopper_pearson_epsilon",
    "collected",
    "detectable",
    "fewest_runs",
    "gradients",
    "largest_refuted",
    "log_p_value",
    "measured_curve",
    "ordered",
    "positions",
    "power_curve",
    "power_reached",
    "runs_needed",
    "statistic",
]
