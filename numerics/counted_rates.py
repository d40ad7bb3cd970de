"""The four ratios of epsilon* from counted error rates, at every threshold between distinct losses."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from numerics.error_ratios import Peak, Term
from numerics.trade_off import Floats

_CHUNK = 2**16  # thresholds at once; keeps the temporary arrays in the processor's cache and memory level


class _Rates(NamedTuple):
    """Thresholds (k,), with t, 1 - t, eta and 1 - eta there; each from its own count."""

    threshold: Floats
    t: Floats
    not_t: Floats
    eta: Floats
    not_eta: Floats

    def clipped(self, clip: float) -> "_Rates":
        """The rates cut to [clip, 1 - clip]."""
        return _Rates(self.threshold, *(np.clip(rate, clip, 1.0 - clip) for rate in self[1:]))


Peaks = tuple[Peak, ...]


def counted_peaks(train: Floats, population: Floats, delta: float, clip: float | None) -> tuple[Peaks, Peaks]:
    """Largest ratios for ascending losses of both groups, each the largest first: with ``clip``, and without.

    Ties are exact: a threshold is the last of a run of equal losses. A ratio is infinite where its numerator is
    positive while nobody of the other group is on that side.
    """
    start = {term: Peak(term, -np.inf, float(train[0]), 0.0, 1.0) for term in Term}
    clipped, unclipped = dict(start), dict(start)
    for rates in _chunks(train, population):
        _improve(unclipped, rates, delta)
        if clip is not None:
            _improve(clipped, rates.clipped(clip), delta)
    free = _ranked(unclipped)
    return (free if clip is None else _ranked(clipped)), free


def _ranked(peaks: dict[Term, Peak]) -> Peaks:
    return tuple(sorted(peaks.values(), key=lambda peak: -peak.log_ratio))


def _improve(best: dict[Term, Peak], rates: _Rates, delta: float) -> None:
    """Replace the peaks that ``rates`` exceed."""
    for term, ratio in _ratios(rates, delta).items():
        index = int(np.argmax(ratio))
        log_ratio = float(np.log(ratio[index])) if ratio[index] > 0.0 else -np.inf
        if log_ratio > best[term].log_ratio:
            place = float(rates.threshold[index]), float(rates.t[index]), float(rates.eta[index])
            best[term] = Peak(term, log_ratio, *place)


def _chunks(train: Floats, population: Floats) -> Iterator[_Rates]:
    """Rates at the losses of either group, a piece at a time."""
    for own, other in ((train, population), (population, train)):
        for start in range(0, len(own), _CHUNK):
            piece = own[start : start + _CHUNK]
            following = np.append(own[start + 1 : start + _CHUNK + 1], np.inf)[: len(piece)]
            last = np.flatnonzero(piece != following)
            below_own, below_other = start + last + 1, np.searchsorted(other, piece[last], side="right")
            members, outsiders = (below_own, below_other) if own is train else (below_other, below_own)
            n, m = len(train), len(population)
            yield _Rates(piece[last], outsiders / m, (m - outsiders) / m, (n - members) / n, members / n)


def _ratios(rates: _Rates, delta: float) -> dict[Term, Floats]:
    pairs = {
        Term.MEMBERS_BELOW: (rates.not_eta, rates.t),
        Term.OUTSIDERS_ABOVE: (rates.not_t, rates.eta),
        Term.MEMBERS_ABOVE: (rates.eta, rates.not_t),
        Term.OUTSIDERS_BELOW: (rates.t, rates.not_eta),
    }
    with np.errstate(divide="ignore", invalid="ignore"):
        return {term: np.where(gain > delta, (gain - delta) / cost, 0.0) for term, (gain, cost) in pairs.items()}
