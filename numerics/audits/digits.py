"""What audits of a real model look at: the shipped digits, and gradients of a softmax regression on half of them.

The digits are at half their resolution, with a constant, in a fixed random order.
"""

from functools import cache

import numpy as np

from numerics.audits.glir import Background, RealGradients
from numerics.audits.logit_space import Labels, Training, gradients
from numerics.trade_off import Floats
from numerics.training.data_sets import DIGITS, shipped_images

CLASSES = 10
BACKGROUND_RECORDS = 900


@cache
def digits() -> tuple[Floats, Labels]:
    """Features (1797, 17), each 0 ... 1, and labels (1797,)."""
    shipped = shipped_images(DIGITS)
    images, labels = shipped.images / 16.0, shipped.labels.astype(np.int64)
    order = np.random.default_rng(0).permutation(len(labels))
    halved = images.reshape(-1, 4, 2, 4, 2).mean(axis=(2, 4)).reshape(len(labels), -1)
    return np.column_stack((halved, np.ones(len(labels))))[order], labels[order]


@cache
def gradients_of_digits() -> tuple[Floats, Background]:
    """Gradients of a trained softmax regression, (897, 170), and the attacker's background from the other 900."""
    features, labels = digits()
    start = np.zeros((features.shape[1], CLASSES))
    everybody = np.ones((1, len(labels)))
    weights = Training(0.0, 100, 5.0).run(features, labels, everybody, start, np.random.default_rng(0))[0]
    table = gradients(features, labels, weights, 1.0)
    return table[BACKGROUND_RECORDS:], Background.estimated(table[:BACKGROUND_RECORDS])


def real_gradients(batch: int) -> RealGradients:
    """GLiR on batches of the digits' gradients."""
    population, background = gradients_of_digits()
    return RealGradients((population,), (background,), batch)
