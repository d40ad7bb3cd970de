"""An audit as a task that runs a slice at a time, and what is kept of it: the curves."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from numerics.audits import AuditProgress, Confidence, Position, collected, measured_curve, positions
from numerics.trade_off import Order, TradeOffCurve
from pages.attackers.audit import cached
from pages.attackers.audit.subjects import AttackSubject
from pages.ui.task_runner import TaskRunner

CONFIDENCE = Confidence(0.95)
RUNNER = TaskRunner("attackers.audit")
_TOGETHER = Confidence(CONFIDENCE.level, simultaneous=True)


@dataclass(frozen=True, eq=False)
class AuditComparison:
    """What was measured, what the theory says, and where the one lies against the other over all rates together."""

    measured: TradeOffCurve
    theory: TradeOffCurve
    together: frozenset[Position]


@dataclass(frozen=True)
class AuditTask:
    """An attack with its parameters, how often it is run, and the seed: results are kept by it. See Task."""

    subject: AttackSubject
    name: str
    rounds: int
    seed: int

    def start(self) -> Generator[AuditProgress, None, None]:
        """The rounds, in chunks.

        Raises ValueError, before any of them, where there is no theory to compare it with.
        """
        for order in self.subject.orders:
            self.subject.theory(order, self.rounds)
        yield from self.subject.start(self.rounds, self.seed)

    def words(self, chunks: Sequence[AuditProgress], seconds: float) -> str:
        """How far it is."""
        return f"{self.name}: {rounds_of(chunks):,} of {self.rounds:,} rounds, {seconds:.0f} s"

    def result(self, chunks: Sequence[AuditProgress], seconds: float) -> "Result":
        """The curves of the rounds there are."""
        done = rounds_of(chunks)
        pairs = {order: self._pair(order, chunks) for order in self.subject.orders} if done else {}
        return Result(self, done, pairs, seconds)

    def _pair(self, order: Order, chunks: Sequence[AuditProgress]) -> AuditComparison:
        scores, theory = collected(chunks), self.subject.theory(order, self.rounds)
        rates = cached.rates(self.rounds)
        measured, wide = (measured_curve(scores, rates, limits, order) for limits in (CONFIDENCE, _TOGETHER))
        return AuditComparison(measured, theory, frozenset(positions(wide, theory)))


@dataclass(frozen=True, eq=False)
class Result:
    """The curves of an audit of which ``done`` rounds were run, by order of the test."""

    audit: AuditTask
    done: int
    pairs: dict[Order, AuditComparison]
    seconds: float


def rounds_of(chunks: Sequence[AuditProgress]) -> int:
    """Rounds that are done."""
    return sum(len(step.null) for step in chunks)
