"""Certified composition: a guarantee and a demonstrated attack that close in on the true trade-off curve.

In the order of the computation, each with its theorem: ``pairs`` says which two laws the attacker must tell apart in
one step; ``lattice`` brings their loss onto a lattice from either side; ``composition`` adds up the steps by Fourier
transform and bounds the rounding, laid out by ``truncation_plan``; where one step's loss has an analytic density,
``smooth_sum`` does that without a lattice; ``bounds`` reads piecewise-linear curves off the sums and answers questions;
``refinement`` makes lattice or blocks finer, until ``certify`` has the width asked for; ``questions`` has the numbers
that need no whole curve.
"""

from numerics.privacy_loss.bounds import CertifiedLoss, StatisticLaw
from numerics.privacy_loss.certify import Precision, certify
