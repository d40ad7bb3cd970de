"""Eta, the attacker's advantage over guessing, and what it converts to.

The game of paper 002: half of a pool of records is drawn at random, the mechanism is run on it, and the attacker says
whether a given record was in. Eta is the accuracy above 1/2. Two halves that differ in that record differ by the
*replacement* of one record, so every conversion is from a replace-one guarantee (correction 29).
"""

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from scipy.special import expit, ndtr, ndtri

from numerics.analysis import Analysis
from numerics.mechanisms import Adjacency, Composition, SampledMechanism
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, Bracket, TradeOffCurve
from numerics.validation import Interval, NonNegative, Probabilities, Probability, checked

LARGEST_ETA = 0.5
Eta = Annotated[float, Interval(0.0, LARGEST_ETA)]
PositiveEta = Annotated[float, Interval.inside(0.0, LARGEST_ETA)]  # 0 would need infinite noise, 1/2 none
_GAME = (
    "A random half of a known pool of records is used; the attacker knows the pool, the mechanism and the record, "
    "but not the half."
)


@checked
def as_replace_one(mechanism: SampledMechanism | Composition) -> SampledMechanism | Composition:
    """The same release, with neighbours that differ by the replacement of a record: its sum moves by up to 2."""
    if isinstance(mechanism, Composition):
        phases = tuple(replace(phase, adjacency=Adjacency.REPLACE_ONE) for phase in mechanism.phases)
        return replace(mechanism, phases=phases)
    return replace(mechanism, adjacency=Adjacency.REPLACE_ONE)


@checked
def eta(mechanism: SampledMechanism | Composition, precision: Precision | None = None) -> Bracket:
    """Largest eta over all pools of records: half of the replace-one total variation (paper 002 Prop. 2, Thm 3).

    An add/remove mechanism is the same release; its guarantee is computed anew for replaced records, which is tighter
    than group privacy (corrections 27, 29).
    """
    return Bracket(*(0.5 * value for value in as_replace_one(mechanism).advantage(precision)))


@checked
def eta_of_epsilon(epsilon: NonNegative, delta: Probability, adjacency: Adjacency) -> float:
    """Largest eta of an (``epsilon``, ``delta``)-DP release (paper 002 Thm 4); far above ``eta`` of the mechanism.

    Add/remove guarantees become (2 epsilon, (1 + e^epsilon) delta) for a replaced record (correction 29).
    """
    if adjacency is Adjacency.ADD_REMOVE and delta > 0.0:
        delta = float(np.exp(min(np.log(delta) + np.logaddexp(0.0, epsilon), 0.0)))
    total = epsilon * adjacency_factor(adjacency)
    # delta + (1 - delta) / (1 + e^-epsilon) - 1/2 without the cancellation
    return float(0.5 * np.tanh(0.5 * total) + delta * expit(-total))


@checked
def adjacency_factor(adjacency: Adjacency) -> float:
    """How many add/remove steps one replacement takes, where ``adjacency`` is that of a given guarantee."""
    return 2.0 if adjacency is Adjacency.ADD_REMOVE else 1.0


@checked
def epsilon_for_eta(eta: Eta, adjacency: Adjacency = Adjacency.REPLACE_ONE) -> float:
    """The epsilon that, at delta = 0, guarantees ``eta``: log((1 + 2 eta) / (1 - 2 eta)); infinite at 1/2.

    Under add/remove half of it, by group privacy.
    """
    return float("inf") if eta == LARGEST_ETA else float(2.0 * np.arctanh(2.0 * eta)) / adjacency_factor(adjacency)


@checked
def eta_of_mu(mu: NonNegative, adjacency: Adjacency) -> float:
    """Eta of a mu-Gaussian-DP release: Phi(mu/2) - 1/2 for replaced records, Phi(mu) - 1/2 under add/remove."""
    return float(ndtr(0.5 * mu * adjacency_factor(adjacency)) - 0.5)


@checked
def mu_for_eta(eta: Eta, adjacency: Adjacency) -> float:
    """The mu of Gaussian DP that guarantees ``eta``; infinite at 1/2. Inverse of ``eta_of_mu``."""
    return float(2.0 * ndtri(0.5 + eta)) / adjacency_factor(adjacency)


@checked
def trade_off(eta: Eta, alpha: Probabilities) -> TradeOffCurve:
    """What eta alone guarantees at ascending ``alpha`` (n,): power at most alpha + 2 eta, capped at 1.

    Paper 002 Thm 8 prints alpha + eta, which real mechanisms exceed (correction 28).
    """
    power = np.minimum(alpha + 2.0 * eta, 1.0)
    beta = np.maximum((1.0 - 2.0 * eta) - alpha, 0.0)
    return TradeOffCurve(np.array(alpha), beta, power, Bound.LOWER, f"membership privacy, eta {eta:.6g}", (_GAME,))


@dataclass(frozen=True)
@checked
class EtaTarget:
    """At most ``eta`` of accuracy above guessing, for the attacker of paper 002; see calibration.Target."""

    eta: PositiveEta

    @property
    def goal(self) -> float:
        """See Target."""
        return self.eta

    @property
    def label(self) -> str:
        """See Target."""
        return f"eta at most {self.eta:g}"

    def measure(self, mechanism: Analysis, precision: Precision) -> Bracket:
        """See Target. Raises TypeError for analyses that are no mechanism, whose neighbours cannot be changed."""
        if not isinstance(mechanism, SampledMechanism | Composition):
            raise TypeError(f"eta is that of a mechanism, got {type(mechanism).__name__}.")
        return eta(mechanism, precision)
