"""Reconstruction and attribute inference as targets that noise can be calibrated to."""

from typing import ClassVar

from numerics.calibration import PowerTarget, Target
from numerics.mechanisms import Mechanism
from numerics.privacy_loss import Precision
from numerics.reconstruction.readings import attribute_inference
from numerics.trade_off import Bracket
from numerics.validation import OpenProbability, value


def _exceed(success: float, guess: float) -> None:
    if success <= guess:
        raise ValueError(
            f"success must exceed prior (guessing alone succeeds with probability {guess:g}), got {success!r}."
        )


@value
class ReconstructionTarget(Target):
    """Reconstruction succeeds with probability at most ``success`` from a prior guess of ``prior``.

    A power target in the add-one order, by which paper 003 defines reconstruction (Sec. 1). Raises ValueError unless
    0 < prior < success < 1.
    """

    success: OpenProbability
    prior: OpenProbability

    words: ClassVar[str] = "reconstruction at most {success:g} from a prior guess of {prior:g}"

    def __post_init__(self) -> None:
        _exceed(self.success, self.prior)

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        return PowerTarget(self.success, self.prior).measure(mechanism, precision)


@value
class AttributeTarget(Target):
    """An attribute of two values, one of probability ``prior``, is named rightly with probability at most ``success``.

    See ``attribute_inference``. Raises ValueError unless ``success`` lies above the
    probability of the likelier value and below 1.
    """

    success: OpenProbability
    prior: OpenProbability

    words: ClassVar[str] = "one of two values named rightly at most {success:g} of the time from a prior of {prior:g}"

    def __post_init__(self) -> None:
        _exceed(self.success, max(self.prior, 1.0 - self.prior))

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        return attribute_inference(mechanism, self.prior, precision)
