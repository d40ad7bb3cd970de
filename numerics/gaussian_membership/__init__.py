"""Gaussian membership inference privacy (paper 004): the attacker knows only the distribution of the other gradients.

The mean of a batch of n per-example gradients is released. The other n - 1 gradients hide the one looked for even
without noise; noise of multiplier s makes the batch look like one of n + s^2.

========================================================  ===========================================================
How well can a record of susceptibility K be found?       ``StepTest(effective_size, dimension, susceptibility)``
How private is a whole run?                               ``GradientRelease(...)``, ``level(release)``
What does mu-Gaussian-DP give, and back?                  ``composition.relaxed_mu``, ``composition.private_mu``
How much noise for a given mu, advantage or power?        ``calibration.noise_for(target, release)``
What if the susceptibility differs between records?       ``stochastic``
How is the attack run?                                    ``numerics.audits``
========================================================  ===========================================================
"""

from numerics.gaussian_membership.composition import ComposedMu, level
from numerics.gaussian_membership.step import GradientRelease, StepTest, step_mu
