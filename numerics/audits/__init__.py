"""Audits: simulated and real attacks, whose measured trade-off curves belong beside the theory's.

========================================================  =====================================================
Noisy gradients with and without a canary                 ``Canary(mechanism, attacker, dimension)``
Shadow models and the logit of a record                   ``OfflineAttack(features, labels, targets, Training(...))``
Is this gradient part of that average? Simulated ...      ``SimulatedGradients(dimension, batch, susceptibility)``
... of other laws, drawn one by one, clipped              ``DrawnGradients(dimension, batch, law, clip)``
... and with a real model's, of one step or several       ``RealGradients(populations, backgrounds, batch)``
Run it, with progress, until stopped                      ``.rounds(rounds, seed)``, ``collected(progress)``
The measured curve with exact limits                      ``measured_curve(scores, alpha, Confidence(...))``
... with limits for the whole curve at once               ``roc_region(scores, alpha)``
The mean of many audits, and how much they scatter        ``repeated(scores, audits, alpha)``
Where it lies against the theory                          ``positions(measured, theory)``
What the scores of an attack on one model show            ``true_positive_rate``, ``area_under_curve``
... of slices, or of single records                       ``sliced``, ``rank_test_p_values``, ``discoveries``
Are rows that share a value more alike than chance?       ``are_alike(scores, values, strata, risk)``
What several models show together                         ``at_least(count, bounds)``
A claimed curve                                           ``ReleaseClaim``, ``GdpClaim``, ``ApproximateClaim``
Do many runs with and without a record keep to it?        ``claim_verdict(scores, claim)``, ``claim_test``
How many runs would refute it?                            ``runs_needed(claim, truth)``, ``detectable``
========================================================  =====================================================
"""

from numerics.audits.claim import ApproximateClaim, Claim, Decision, GdpClaim, ReleaseClaim
from numerics.audits.glir import (
    Background,
    DrawnGradients,
    GradientLaw,
    Pooling,
    RealGradients,
    SimulatedGradients,
    log_p_value,
    statistic,
)
from numerics.audits.gradient_canary import Attacker, Canary
from numerics.audits.logit_space import OfflineAttack, Training, clip_factors, gradients
from numerics.audits.many_runs import (
    ClaimTest,
    ClaimVerdict,
    Cut,
    ScoreOrientation,
    can_refute,
    claim_test,
    claim_verdict,
    detectable,
    fewest_runs,
    largest_refuted,
    power_reached,
    runs_needed,
)
from numerics.audits.measured import (
    AreaUnderCurve,
    Confidence,
    Position,
    Repeated,
    TruePositiveRate,
    area_under_curve,
    measured_curve,
    positions,
    repeated,
    roc_region,
    surely_gained,
    true_positive_rate,
)
from numerics.audits.rounds import AuditProgress, Scores, collected, ordered
from numerics.audits.several import (
    Procedure,
    are_alike,
    at_least,
    discoveries,
    holm,
    level_each,
    models_needed,
    one_row_each,
)
from numerics.audits.slices import (
    Slice,
    conformal_p_values,
    divided,
    rank_test_p_values,
    rate_for,
    sliced,
    surely_below,
)
