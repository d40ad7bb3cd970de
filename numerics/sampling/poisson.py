"""Poisson sampling: every record takes part in each step independently; with rate 1, no sampling.

With the noise K_m centred at m (in units of the sensitivity) and the record included with probability p,

* add/remove: P = (1-p) K_0 + p K_1 (record present) against Q = K_0 (record absent); so too zero-out, where the record
  that takes part adds nothing;
* replace-one: P = (1-p) K_0 + p K_1 against Q = (1-p) K_0 + p K_-1 (two records that pull in opposite directions).

Both dominate every pair of neighbouring data sets: among all regions S with K_0(S) = m, the half line in the record's
direction gives K_1 its largest and K_-1 its smallest value (Neyman-Pearson), so it maximises
P(S) - gamma Q(S) = (1-p)(1-gamma) m + p K_1(S) - gamma p K_-1(S) for every gamma, and likewise without the last term.
The privacy loss is the log-likelihood ratio log dP/dQ at the released value x; it never decreases in x.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import gammaln, logsumexp

from numerics.mechanisms.location import LocationTradeOff, Subsampled
from numerics.mechanisms.noise import Noise
from numerics.privacy_loss.pairs import CellPmf, ComposedPairs, sampled_loss, unsampled_loss
from numerics.privacy_loss.smooth_sum import NormalLoss
from numerics.sampling.batches import Adjacency, Batches, UnitNoise
from numerics.sampling.mixture import MixturePair
from numerics.sampling.person import PersonOnce, PersonPair
from numerics.trade_off import Floats
from numerics.unsupported import UnsupportedError, law_of


@dataclass(frozen=True)
class SampledPair(MixturePair):
    """P and Q of one step in which the record takes part with probability ``rate``."""

    furthest: ClassVar[int] = 1
    words = "batches drawn by Poisson sampling"

    def loss(self, x: Floats) -> Floats:
        present = sampled_loss(self.noise.shift_loss(x), self.rate)
        return present - sampled_loss(self.noise.shift_loss(-x), self.rate) if self.replace_one else present

    def position(self, loss: Floats) -> Floats:
        if self.replace_one:
            return self.noise.opposed_position(loss, self.rate)
        return self.noise.shift_position(unsampled_loss(loss, self.rate))

    @property
    def zcdp(self) -> float | None:
        """See DominatingPair. Divergences of mixtures are no larger than of what is mixed: sampling never raises it."""
        known = [rho for rho in (super().zcdp, self._between_sums.zcdp()) if rho is not None]
        return min(known, default=None)

    @property
    def _between_sums(self) -> Noise:
        """The noise in units of how far apart both sums are in a step that the record takes part in."""
        return self.noise.over(2) if self.replace_one else self.noise

    def renyi(self, order: int) -> float | None:
        """See DominatingPair: of noise for all neighbours, of sampled batches where Q is the noise alone.

        E[(1 - p + p r)^o] is then a sum of o + 1 moments of the ratio r of two shifted laws, and the other direction is
        never larger, as the noise is symmetric (Mironov, Talwar and Zhang 2019, Theorem 5). Raises UnsupportedError.
        """
        if self.rate < 1.0 and self.replace_one:
            raise UnsupportedError("Renyi divergences of sampled batches are not offered for replace-one neighbours.")
        noise = self._between_sums
        whole = law_of(noise.log_moment(float(order)), noise, "Renyi divergences are")
        if self.rate == 1.0:
            return whole / (order - 1.0)
        k = np.arange(order + 1.0)
        moments = np.array([noise.log_moment(one) for one in k.tolist()], dtype=float)
        choose = gammaln(order + 1.0) - gammaln(k + 1.0) - gammaln(order - k + 1.0)
        weights = choose + k * np.log(self.rate) + (order - k) * np.log1p(-self.rate)
        return float(max(logsumexp(weights + moments), 0.0)) / (order - 1.0)

    @property
    def smooth_loss(self) -> NormalLoss | None:
        """See ``privacy_loss.smooth_sum``; of this very pair, for subclasses have other losses."""
        return None if self.replace_one or type(self) is not SampledPair else self.noise.smooth_loss(self.rate)

    def _mix(self, x: Floats) -> CellPmf:
        absent, present = self.noise.cells(x, 0.0), self.noise.cells(x, 1.0)
        p = (1.0 - self.rate) * absent + self.rate * present
        if not self.replace_one:
            return CellPmf(p, absent)
        return CellPmf(p, (1.0 - self.rate) * absent + self.rate * self.noise.cells(x, -1.0))


def sampled_pairs(phases: ComposedPairs) -> tuple[tuple[SampledPair, int], ...]:
    """The phases, if records are sampled by Poisson's rule or not at all; else raises UnsupportedError."""
    pairs = tuple((pair, steps) for pair, steps in phases if type(pair) is SampledPair)  # others build on it
    if len(pairs) < len(phases):
        other = next(pair.words for pair, _ in phases if type(pair) is not SampledPair)
        raise UnsupportedError(
            f"this is computed for Poisson sampling only, of single records, and the release has {other}."
        )
    return pairs


class Poisson(Batches):
    """Every record takes part in each step independently, so batches vary in size."""

    words = SampledPair.words
    several_records: ClassVar[bool] = True
    in_short: ClassVar[str] = "Every step draws each record at random, one by one, and nobody sees which."

    def sentence(self, rate: float) -> str:
        return f"Poisson sampling: every record takes part in each step independently with probability {rate:.6g}."

    def phases(self, noise: UnitNoise, rate: float, steps: int, adjacency: Adjacency) -> ComposedPairs:
        return ((SampledPair(noise(1.0), rate, adjacency is Adjacency.REPLACE_ONE), steps),)

    def closed_form(self, shift: LocationTradeOff, rate: float, adjacency: Adjacency) -> Subsampled | None:
        """See Batches: known unless a record is replaced, as one of the two laws is then the noise alone."""
        return None if adjacency is Adjacency.REPLACE_ONE else Subsampled(shift, rate)

    def person_phases(
        self, noise: UnitNoise, rate: float, steps: int, adjacency: Adjacency, records: int
    ) -> ComposedPairs:
        return ((PersonPair(noise(1.0), rate, adjacency is Adjacency.REPLACE_ONE, records), steps),)

    def person_once(
        self, shift: LocationTradeOff, noise: UnitNoise, rate: float, adjacency: Adjacency, records: int
    ) -> Subsampled | None:
        if adjacency is Adjacency.REPLACE_ONE:
            return None
        return PersonOnce(shift, rate, pair=PersonPair(noise(1.0), rate, records=records))
