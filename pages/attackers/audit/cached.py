"""What audits look at, made once and shared by all sessions: the digits, models of them, and the theory's curves.

The digits are the shipped ones (data/README.md) at half their resolution, with a constant, in a fixed random order.
"""

import numpy as np

from numerics import relaxed
from numerics.audits import Background, OfflineAttack, RealGradients, Training, gradients
from numerics.audits.logit_space import Labels
from numerics.deadline import UNLIMITED, Deadline
from numerics.gaussian_membership import StepTest
from numerics.mechanisms import SampledMechanism
from numerics.privacy_loss import Precision
from numerics.relaxed import Reading
from numerics.trade_off import Floats, Order, TradeOffCurve
from numerics.training.data_sets import DIGITS, shipped_images
from pages.server.shared_cache import shared_cache
from pages.ui.cached import PRECISION
from pages.ui.release_controls import ALPHAS

_CLASSES = 10
OFFLINE_RECORDS = 250
BACKGROUND_RECORDS = 900
_LARGE_RATES = (0.95, 0.98, 0.99, 0.999)  # a linear figure's other end


def rates(rounds: int) -> Floats:
    """False positive rates at which an audit of ``rounds`` rounds is stated: the slider's, from one false alarm up."""
    stated = np.array([*ALPHAS, *_LARGE_RATES])
    return stated[stated * rounds >= 1.0 - 1e-9]


@shared_cache
def digits() -> tuple[Floats, Labels]:
    """Features (1797, 17), each 0 ... 1, and labels (1797,)."""
    shipped = shipped_images(DIGITS)
    images, labels = shipped.images / 16.0, shipped.labels.astype(np.int64)
    order = np.random.default_rng(0).permutation(len(labels))
    halved = images.reshape(-1, 4, 2, 4, 2).mean(axis=(2, 4)).reshape(len(labels), -1)
    return np.column_stack((halved, np.ones(len(labels))))[order], labels[order]


@shared_cache
def offline_attack(noise: float, steps: int, share: float) -> OfflineAttack:
    """Offline attack on one wrongly labelled digit among 250; its gradient keeps the clipping norm for long."""
    features, labels = digits()
    labels = labels[:OFFLINE_RECORDS].copy()
    labels[0] = (labels[0] + 1) % _CLASSES
    return OfflineAttack(features[:OFFLINE_RECORDS], labels, (0,), Training(noise, steps), share=share)


@shared_cache
def gradients_of_digits() -> tuple[Floats, Background]:
    """Gradients of a trained softmax regression, (897, 170), and the attacker's background from the other 900."""
    features, labels = digits()
    start = np.zeros((features.shape[1], _CLASSES))
    everybody = np.ones((1, len(labels)))
    weights = Training(0.0, 100, 5.0).run(features, labels, everybody, start, np.random.default_rng(0))[0]
    table = gradients(features, labels, weights, 1.0)
    return table[BACKGROUND_RECORDS:], Background.estimated(table[:BACKGROUND_RECORDS])


def real_gradients(batch: int) -> RealGradients:
    """GLiR on batches of the digits' gradients."""
    population, background = gradients_of_digits()
    return RealGradients((population,), (background,), batch)


@shared_cache
def full_knowledge(
    mechanism: SampledMechanism, order: Order, rounds: int, *, precision: Precision = PRECISION
) -> TradeOffCurve:
    """The mechanism's trade-off function at an audit's rates."""
    return mechanism.trade_off(rates(rounds), order, precision)


@shared_cache
def record_unknown(
    mechanism: SampledMechanism, dimension: int, order: Order, rounds: int, deadline: Deadline = UNLIMITED
) -> TradeOffCurve:
    """What the magnitude of the mean reaches; the relaxed guarantee where that is not known."""
    reading = Reading.MAGNITUDE if mechanism.adds_in_squares else Reading.MINIMAX
    asked = rates(rounds)
    return relaxed.trade_off(mechanism, asked, dimension=dimension, order=order, reading=reading, deadline=deadline)


@shared_cache
def step_test(test: StepTest, rounds: int) -> TradeOffCurve:
    """Paper 004 Eq. 8 at an audit's rates."""
    return test.trade_off(rates(rounds))
