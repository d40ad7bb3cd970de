"""What a pair says of its loss where that has an analytic density: enough to transform it without a lattice."""

from typing import NamedTuple, Protocol, runtime_checkable

from numerics.trade_off import Floats


class Nodes(NamedTuple):
    """A quadrature under P and under Q at the same losses.

    Attributes:
        loss: values (n,).
        p, q: their weights (n,), which add up to 1.
        error: bound on what any E[e^{it loss}] is off by, up to the frequency asked for, but for rounding.
        p_rounding, q_rounding: the same for rounding, per unit of the frequency t.
    """

    loss: Floats
    p: Floats
    q: Floats
    error: float
    p_rounding: float
    q_rounding: float


class Fading(NamedTuple):
    """Bounds on the characteristic function of one step's loss.

    Attributes:
        p, q: of |E[e^{it loss}]| under P and under Q, (n,): entry i between the i-th and the next frequency, the last
            from there on for ever.
        log_variation: log of C with |E[e^{it loss}]| <= C / t under both.
    """

    p: Floats
    q: Floats
    log_variation: float


class SmoothLoss(Protocol):
    """One step's loss where it has an analytic density."""

    def nodes(self, highest: float) -> Nodes:
        """A quadrature for all frequencies up to ``highest``."""
        ...

    def log_moments(self, exponents: Floats) -> Floats:
        """Upper bounds of log E_Q[e^{t loss}] at all ``exponents`` t (m,); infinite where none is known."""
        ...

    def fading(self, frequency: Floats) -> Fading:
        """Bounds between ascending positive ``frequency`` (n,) and beyond."""
        ...


@runtime_checkable
class SmoothPair(Protocol):
    """A pair whose loss may have an analytic density."""

    @property
    def smooth_loss(self) -> SmoothLoss | None:
        """The loss of one step, if it has."""
        ...
