"""Simulated losses of known laws, computed once and shared by all sessions: nobody's data are in them."""

from numerics.epsilon_star import simulations
from pages.server.shared_cache import shared_cache

truth = shared_cache(simulations.truth)
simulate = shared_cache(simulations.simulate)
ratio_curves = shared_cache(simulations.ratio_curves)
