"""The summary of losses for figures: curves of fitted laws."""

import numpy as np
import pytest

from losses import SAMPLES
from numerics.epsilon_star import LossScale, Method, Transform, ascending, estimate
from numerics.epsilon_star.error_ratios import Term
from numerics.epsilon_star.loss_summary import summarise
from numerics.trade_off import Bound


@pytest.mark.parametrize("components", [3, 8, 13])
def test_every_curve_of_mixtures_is_monotone_to_the_last_bit(components: int) -> None:
    """Sums over components have rounding errors near 1; a curve whose alpha falls is refused."""
    groups = SAMPLES[0].groups()
    train, population = ascending(groups.train), ascending(groups.population)
    found = estimate(train, population, 1e-4, Method.MIXTURE, components=components, scale=LossScale.LOG_ODDS)
    assert found.transform is not None
    fits = summarise(train, population, found.transform, found.laws).of_fits
    assert fits is not None
    for term in Term:
        curve = fits.curve(term, Bound.ESTIMATE, "fits")
        assert all(curve.power[1:] >= curve.power[:-1])
        assert all(curve.beta[1:] <= curve.beta[:-1])


@pytest.mark.parametrize("highest", [1.0 + 1e-13, 1.5, 1e200])
def test_losses_are_counted_in_the_bins_that_are_drawn(highest: float) -> None:
    """To the last of them, however near to an edge."""
    losses = np.sort(np.append(np.random.default_rng(1).uniform(1.0, highest, 500), [1.0, highest]))
    found = summarise(losses, losses, Transform(LossScale.LOG_ODDS, 1.0, highest))
    expected = np.histogram(losses, found.edges)[0] / (len(losses) * np.diff(found.edges))
    np.testing.assert_array_equal(found.train.density, expected)
