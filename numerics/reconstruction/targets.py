"""Reconstruction and attribute inference as targets that noise can be calibrated to."""

from dataclasses import dataclass

from numerics.calibration import PowerTarget
from numerics.mechanisms import Mechanism
from numerics.privacy_loss import Precision
from numerics.reconstruction.readings import attribute_inference
from numerics.trade_off import Bracket
from numerics.validation import OpenProbability, checked


def _exceed(success: float, guess: float) -> None:
    if success <= guess:
        raise ValueError(
            f"success must exceed prior (guessing alone succeeds with probability {guess:g}), got {success!r}."
        )


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
        _exceed(self.success, self.prior)

    @property
    def goal(self) -> float:
        """See Target."""
        return self.success

    @property
    def label(self) -> str:
        """See Target."""
        return f"reconstruction at most {self.success:g} from a prior guess of {self.prior:g}"

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        """See Target."""
        return PowerTarget(self.success, self.prior).measure(mechanism, precision)


@dataclass(frozen=True)
@checked
class AttributeTarget:
    """An attribute of two values, one of probability ``prior``, is named rightly with probability at most ``success``.

    See ``calibration.Target`` and ``attribute_inference``. Raises ValueError unless ``success`` lies above the
    probability of the likelier value and below 1.
    """

    success: OpenProbability
    prior: OpenProbability

    def __post_init__(self) -> None:
        _exceed(self.success, max(self.prior, 1.0 - self.prior))

    @property
    def goal(self) -> float:
        """See Target."""
        return self.success

    @property
    def label(self) -> str:
        """See Target."""
        return f"one of two values named rightly at most {self.success:g} of the time from a prior of {self.prior:g}"

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        """See Target."""
        return attribute_inference(mechanism, self.prior, precision)
