"""The literature's estimates of a composed curve, to be compared with the certified one; none is a bound.

``expansions`` has the central limit theorem and Edgeworth, ``sampling`` Monte Carlo.
"""

from numerics.approximations.expansions import LARGEST_EDGEWORTH_ORDER, clt, clt_mu, composed_cumulants, edgeworth
from numerics.approximations.sampling import MonteCarlo, affordable_samples, monte_carlo
