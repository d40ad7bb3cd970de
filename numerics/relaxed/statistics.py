"""What two particular statistics reach against several sampled steps: the power of that test, not a guarantee.

A: the magnitude of the sum of all releases (the sampled analogue of paper 000 Lemma 8). B: the product of the folded
likelihood ratios of the single steps (paper 000 Section 7.3). The two contradict each other in the paper and are not
ordered (correction 15); the relaxed guarantee of ``minimax`` lies below both in beta. B is also the best test where
every step has an unknown side of its own.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import gammaln, ndtr, xlog1py, xlogy

from numerics.chi_squared import central_tails, chi_squared_quantile, noncentral_tails
from numerics.privacy_loss.pairs import (
    Atom,
    CellPmf,
    DominatingPair,
    FinitePair,
    LossLaw,
    sampled_loss,
    unsampled_loss,
)
from numerics.relaxed.roc import Roc
from numerics.sampling.poisson import SampledPair
from numerics.trade_off import Floats
from numerics.unsupported import FULL_KNOWLEDGE, law_of

_THRESHOLDS = 250
_KEPT = 128  # tests that are remembered, of 10 kB each
_FURTHEST = 8.0  # deviate: error rates of 1e-15
_NEGLIGIBLE = 1e-22  # share of the counts left out
_COUNTS = 400  # above this many they are taken in strides: the summand is smooth in the count


@lru_cache(maxsize=_KEPT)
def magnitude(mu: float, rate: float, steps: int, dimension: float) -> Roc:
    """A: errors of the test on the magnitude of the sum, a binomial mixture over the steps taken part in.

    With k of N steps the squared magnitude is noncentral chi-squared with kappa = k^2 mu^2 / N (correction 15).
    """
    # Numbers of steps that the record takes part in, and their probabilities.
    k = np.arange(steps + 1.0)
    log_mass = gammaln(steps + 1.0) - gammaln(k + 1.0) - gammaln(steps - k + 1.0)
    mass = np.exp(log_mass + xlogy(k, rate) + xlog1py(steps - k, -rate))
    k, mass = k[mass > _NEGLIGIBLE], mass[mass > _NEGLIGIBLE]
    stride = max(len(k) // _COUNTS, 1)
    k, mass = k[::stride], mass[::stride]
    critical = chi_squared_quantile(dimension, np.linspace(_FURTHEST, -_FURTHEST, _THRESHOLDS))
    beyond, within = np.zeros(_THRESHOLDS), np.zeros(_THRESHOLDS)
    for count, share in zip(k, mass / mass.sum(), strict=True):
        centre, edge = float(count * mu / np.sqrt(steps)), np.sqrt(critical)
        if dimension > 1.0:
            upper, lower = noncentral_tails(dimension, centre**2, critical)
        else:
            upper = ndtr(centre - edge) + ndtr(-centre - edge)
            lower = ndtr(edge - centre) - ndtr(-edge - centre)
        beyond, within = beyond + share * upper, within + share * lower
    alpha, rest = central_tails(dimension, critical)
    return Roc(alpha[::-1], rest[::-1], within[::-1], beyond[::-1])


def folded_pair(pair: SampledPair) -> DominatingPair:
    """B's pair of one step; of noise on whole numbers by all outcomes."""
    x = pair.noise.outcomes(1)
    if x is None:
        return FoldedPair(pair.noise, pair.rate)
    null, shifted = (pair.noise.cells(0.5 * (x[1:] + x[:-1]), centre) for centre in (0.0, 1.0))
    present = (1.0 - pair.rate) * null + 0.5 * pair.rate * (shifted + shifted[::-1])
    loss = folded_loss(pair, x)
    order = np.argsort(loss, kind="stable")
    return FinitePair.of(LossLaw(loss[order], present[order], null[order]), "folded noise")


def folded_loss(pair: SampledPair, x: Floats) -> Floats:
    """Log of 1 - p + p (l(x) + l(-x)) / 2 with l the unsampled likelihood ratio."""
    sides = np.logaddexp(pair.noise.shift_loss(x), pair.noise.shift_loss(-x)) - np.log(2.0)
    return sampled_loss(sides, pair.rate)


@dataclass(frozen=True)
class FoldedPair(SampledPair):
    """B: one step folded about the release without the record; its loss depends on |x| only, and never falls in it."""

    is_symmetric = False

    def loss(self, x: Floats) -> Floats:
        return folded_loss(self, x)

    def renyi(self, order: int) -> float | None:
        """See DominatingPair: the moments that are known are those of one side."""
        return None

    def loss_range(self, tail: float) -> tuple[float, float]:
        """See SampledPair; the smallest loss is that at the centre."""
        low, high = self.loss(np.array([0.0, self.noise.reach(tail) + 1.0]))
        return float(low), float(high)

    def position(self, loss: Floats) -> Floats:
        """The largest |x| whose loss is at most ``loss``; 0 below the range. UnsupportedError for other noise."""
        position = self.noise.folded_position(unsampled_loss(loss, self.rate))
        return law_of(position, self.noise, "The product of folded steps is", FULL_KNOWLEDGE)

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """The atom of the largest loss, where the noise has one."""
        if np.isinf(self.noise.flat_beyond):
            return ()
        masses, top = self._mix(np.array([1.0])), self.loss(np.array([1.0]))
        return (Atom(float(top[0]), float(masses.p[-1]), float(masses.q[-1])),)

    def atom_cells(self, edges: Floats) -> tuple[int, ...]:
        return (int(np.searchsorted(self.position(edges), np.inf)),) if self.atoms else ()

    def scatter(self, tail: float) -> tuple[Floats, CellPmf]:
        """See SampledPair; the nodes of one side."""
        reach = min(self.noise.reach(tail), 12.0 * self.noise.scale)
        parts = [np.linspace(0.0, 1.0, 81)]
        parts += [np.linspace(max(centre - reach, 0.0), centre + reach, 161) for centre in (0.0, 1.0)]
        x = np.unique(np.concatenate(parts))
        return self.loss(x), self._mix(0.5 * (x[1:] + x[:-1]))

    def _mix(self, x: Floats) -> CellPmf:
        """Masses of the shells between the distances ``x`` (n,), (n + 1,)."""
        shells = []
        for centre in (0.0, 1.0):
            cells = self.noise.cells(np.concatenate((-x[::-1], x)), centre)
            one = cells[len(x) :].copy()
            one[1:] += cells[: len(x)][::-1]
            shells.append(one)
        absent, present = shells
        return CellPmf((1.0 - self.rate) * absent + self.rate * present, absent)
