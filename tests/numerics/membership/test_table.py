"""Every number of membership privacy that has a source, and what is refused: see table.toml."""

import json

import numpy as np
import pytest

from numerics import mechanisms, membership
from numerics.mechanisms import Adjacency, Gaussian
from numerics.membership import (
    Game,
    estimated_spread,
    finite_release,
    noise_scale,
    one_swap,
    sampler,
    shares,
    worst_case_data,
)
from numerics.membership import halves as halves_module
from numerics.membership.halves import HalfReleases
from numerics.membership.one_swap import OneSwap, SwapNoise
from numerics.membership.sampler import generalised_normal
from tests import ROOT
from tests.tables import Table

DATA = np.array(json.loads((ROOT / "tests" / "reference_values_swap.json").read_text())["data"])
LAPLACE, NORM, GAUSSIAN = SwapNoise
ADD, REPLACE = Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE
PAIR = np.array([-1.0, 1.0])
TWO_RECORDS = HalfReleases.of(PAIR, np.ravel), OneSwap.of_mean(PAIR, LAPLACE)


def gap(epsilon, delta):
    """The largest difference of rates that an (epsilon, delta)-DP release allows."""
    eta = membership.eta_of_epsilon(epsilon, delta, Adjacency.REPLACE_ONE)
    return float(membership.trade_off(eta, np.array([0.001])).power[0]) - 0.001


def etas_of_game(noise, rate, steps, adjacency):
    game = Game.of(Adjacency(adjacency))
    return [membership.eta(Gaussian(noise, rate, steps, each), game) for each in Adjacency]


def drawn(moment, dimension):
    return generalised_normal(moment, (100_000, dimension), np.random.default_rng(3))


def deviates(draws, expected):
    """How many standard errors their mean lies from what is expected."""
    return float((np.mean(draws) - expected) / (np.std(draws) / np.sqrt(len(draws))))


def normal_records(records):
    generator = np.random.default_rng(1)
    data = {size: generator.standard_normal(size) for size in (10, 100, 1000)}
    return OneSwap.of_mean(data[records], NORM)


def tiny(noise):
    """Eta and half of delta, times the scale, over the mean swap, with very much noise."""
    data, bound = np.arange(50.0), OneSwap.of_mean(np.arange(50.0), noise)
    swap = np.abs(data - data[0]).sum() / 49 / 25 / 1e14
    return bound.etas(1e14)[0] / swap, 0.5 * bound.delta(0, 0.0, 1e14) / swap


def largest_change(releases):
    """Of the statistic, between halves that differ in one record."""
    shared = releases.inside.astype(int) @ releases.inside.T.astype(int)
    change = np.abs(releases.statistics[:, None] - releases.statistics)
    return float(np.max(change[shared == releases.inside[0].sum() - 1]))


def slim(draws):
    return float(np.mean(np.arctan2(*np.abs(draws.T)[::-1]) < np.pi / 8))


MODULES = mechanisms, membership, estimated_spread, finite_release, noise_scale, one_swap, sampler, shares
TABLE = Table(__file__, *MODULES, worst_case_data, halves_module, globals())


@pytest.mark.parametrize("case", TABLE.cases())
def test_table(case):
    case.check()
