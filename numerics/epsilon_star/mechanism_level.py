"""Epsilon-bar, what many models of one training mechanism show together (paper 001 Theorems 2 and 4, Eqs. 18 and 19).

Every model has the same false positive rate t, at a threshold of its own, and the false negative rates eta are
averaged over models and their training sets. Differential privacy of the mechanism bounds the result: epsilon-bar is
at most its epsilon, but for what the sample errs. It is at most log E e^epsilon* (Theorem 2), as the four ratios are
convex in eta. Our copy of Eq. 19 has a fifth ratio, (eta - delta) / eta, which is not used (correction 19).
"""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from scipy.special import logsumexp

from numerics.epsilon_star.error_ratios import Clip, LogRates, TailLaw
from numerics.trade_off import Floats
from numerics.validation import OpenProbability, PositiveCount, checked

_RATES = 4001
_SMALLEST = 1e-12


class MechanismLevel(NamedTuple):
    """What models of one mechanism show at common false positive rates.

    Attributes:
        value: epsilon-bar.
        false_positive_rate: where it is found.
        each: epsilon* of every model (m,), at the same rates.
        log_mean_exp: log of the mean of e^epsilon*, which ``value`` does not exceed where rates are not cut.
    """

    value: float
    false_positive_rate: float
    each: Floats
    log_mean_exp: float


@checked
def of_laws(models: Sequence[tuple[TailLaw, TailLaw]], delta: OpenProbability) -> MechanismLevel:
    """From the laws of every model's training losses and fresh losses, at 8,000 rates from 1e-12 to 1 - 1e-12.

    Raises ValueError for no models.
    """
    tail = np.geomspace(_SMALLEST, 0.5, _RATES)
    at = [np.concatenate((fresh.ppf(tail), fresh.isf(tail[-2::-1]))) for _, fresh in _some(models)]
    t = np.log(np.concatenate((tail, 1.0 - tail[-2::-1])))
    not_t = np.concatenate((np.log1p(-tail), np.log(tail[-2::-1])))
    eta = np.array([train.logsf(x) for (train, _), x in zip(models, at, strict=True)])
    not_eta = np.array([train.logcdf(x) for (train, _), x in zip(models, at, strict=True)])
    return _level(LogRates(np.broadcast_to(t, eta.shape), np.broadcast_to(not_t, eta.shape), eta, not_eta), delta, None)


@checked
def of_losses(
    models: Sequence[tuple[Floats, Floats]],
    delta: OpenProbability,
    clip: Clip | None = None,
    rates: PositiveCount = 999,
) -> MechanismLevel:
    """From training losses (n,) and fresh losses (k,) of every model, counted; rates are cut to [clip, 1 - clip].

    Thresholds are the fresh losses at ``rates`` evenly spaced false positive rates; with ties more are accused, which
    is counted. Without a clip a model that separates the groups makes its own epsilon* infinite, not epsilon-bar. An
    estimate: no confidence is allowed for. Raises ValueError for no models and for empty groups.
    """
    share = np.arange(1, rates + 1) / (rates + 1.0)
    found = []
    for train, fresh in _some(models):
        if not len(train) or not len(fresh):
            raise ValueError(f"losses must not be empty, got {len(train)} and {len(fresh)}.")
        own, others = np.sort(train), np.sort(fresh)
        threshold = others[np.maximum(np.ceil(share * len(others)).astype(np.int64), 1) - 1]
        t, not_eta = (np.searchsorted(each, threshold, "right") / len(each) for each in (others, own))
        found.append((t, 1.0 - t, 1.0 - not_eta, not_eta))
    with np.errstate(divide="ignore"):
        return _level(LogRates(*np.log(np.swapaxes(np.array(found), 0, 1))), delta, clip)


_Models = TypeVar("_Models", bound=Sequence[object])


def _some(models: _Models) -> _Models:
    if not len(models):
        raise ValueError("models must not be empty.")
    return models


def _level(rates: LogRates, delta: float, clip: float | None) -> MechanismLevel:
    """From logs of the rates (m, r) of all models."""
    together = LogRates(*(logsumexp(rate, axis=0) - np.log(len(rate)) for rate in rates)).clipped(clip)
    ratios = _largest(together, delta)
    each = np.max(_largest(rates.clipped(clip), delta), axis=1)
    best = int(np.argmax(ratios))
    mean = float(logsumexp(each) - np.log(len(each)))
    return MechanismLevel(float(ratios[best]), float(np.exp(together.t[best])), each, mean)


def _largest(rates: LogRates, delta: float) -> Floats:
    """The largest of the four log ratios and 0 at each threshold; a ratio of nothing over nothing does not count."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.fmax.reduce([*rates.log_ratios(delta).values(), np.zeros(rates.t.shape)]))
