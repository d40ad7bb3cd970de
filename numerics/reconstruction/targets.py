"""Reconstruction as a target that noise can be calibrated to."""

from dataclasses import dataclass

from numerics.analysis import Analysis
from numerics.calibration import PowerTarget
from numerics.deadline import UNLIMITED, Deadline
from numerics.privacy_loss import Precision
from numerics.trade_off import Bracket
from numerics.validation import OpenProbability, checked


@dataclass(frozen=True)
@checked
class ReconstructionTarget:
    """Reconstruction succeeds with probability at most ``success`` from a prior guess of ``prior``.

    A power target in the add-one order (correction 42); see ``calibration.Target``. Raises ValueError unless
    0 < prior < success < 1.
    """

    success: OpenProbability
    prior: OpenProbability

    def __post_init__(self) -> None:
        if self.success <= self.prior:
            raise ValueError(
                f"success must exceed prior (guessing alone succeeds with probability {self.prior:g}), "
                f"got {self.success!r}."
            )

    @property
    def goal(self) -> float:
        """See Target."""
        return self.success

    @property
    def label(self) -> str:
        """See Target."""
        return f"reconstruction at most {self.success:g} from a prior guess of {self.prior:g}"

    def measure(self, mechanism: Analysis, precision: Precision, deadline: Deadline = UNLIMITED) -> Bracket:
        """See Target."""
        return PowerTarget(self.success, self.prior).measure(mechanism, precision, deadline)
