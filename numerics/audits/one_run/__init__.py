"""One training run with canaries: does this implementation keep its promise?

========================================================  =====================================================
Scores and coins, and what is wrong with them             ``Canaries(score, included, adjacency, guess)``
How many of the surest guesses are right                  ``canaries.guesses(counts)``, ``Guesses(m, counts, correct)``
A claim against one run: refuted, or not                  ``audit(guesses, claim)`` gives a ``Finding``
Its p-value                                               ``p_value(guesses, claim)``
The largest epsilon refuted, whatever was promised        ``audit(guesses, claim, delta=delta).proved``
Largest mu or epsilon, or smallest noise, refuted         ``parameter_refuted(guesses, claim)``
The most that so many canaries can show                   the same of ``Guesses(m, counts, counts)``
(epsilon, delta) by the number of right guesses           ``odds.p_value``, ``odds.epsilon_at_least``
Before the audit: how likely is a violation found?        ``power(claim, truth, canaries)``
... the smallest one that is, and how many it takes       ``smallest_violation``, ``canaries_needed``
If canaries do not interact, and never else              ``claim_test(canaries.groups(claim), claim)``
========================================================  =====================================================

Claims are those of ``numerics.audits``: ``ReleaseClaim``, ``GdpClaim``, ``ApproximateClaim``.
"""

from numerics.audits.one_run import odds
from numerics.audits.one_run.design import Finding, audit, canaries_needed, critical_counts, power, smallest_violation
from numerics.audits.one_run.guesses import Canaries, Guesses, Note, preset_counts
from numerics.audits.one_run.p_values import p_value, parameter_refuted
