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
========================================================  =====================================================
"""

from numerics.audits.canary import Attacker, Canary
from numerics.audits.claim import ApproximateClaim, Claim, GaussianClaim, ReleaseClaim
from numerics.audits.glir import Background, RealGradients, SimulatedGradients, log_p_value, statistic
from numerics.audits.logit_space import OfflineAttack
from numerics.audits.measured import Confidence, Position, measured_curve, positions
from numerics.audits.rounds import Progress, Scores, collected
from numerics.audits.softmax import Training, clip_factors, gradients

__all__ = [
    "ApproximateClaim",
    "Attacker",
    "Background",
    "Canary",
    "Claim",
    "Confidence",
    "GaussianClaim",
    "OfflineAttack",
    "Position",
    "Progress",
    "RealGradients",
    "ReleaseClaim",
    "Scores",
    "SimulatedGradients",
    "Training",
    "clip_factors",
    "collected",
    "gradients",
    "log_p_value",
    "measured_curve",
    "positions",
    "statistic",
]
