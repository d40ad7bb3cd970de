"""Certified composition: a guarantee and a demonstrated attack that close in on the true trade-off curve.

In the order of the computation, each with its theorem: ``dominating_pairs`` says which two laws the attacker
must tell apart in one step; ``lattice`` brings their loss onto a lattice from either side; ``composition`` sums the
steps by Fourier transform and bounds the rounding, laid out by ``truncation_plan``; where one step's loss has an
analytic density, ``smooth_sum`` does that without a lattice; ``certified_loss`` reads the trade-off curve off the sums,
with the lines of ``vertices``, and answers questions; ``certify`` makes lattice or blocks fine enough for the width
asked for; ``questions`` has those that need no whole curve.
"""

from numerics.privacy_loss.certified_loss import CertifiedLoss, StatisticLaw
from numerics.privacy_loss.certify import Precision, certify

__all__ = ["CertifiedLoss", "Precision", "StatisticLaw", "certify"]
