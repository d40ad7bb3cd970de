"""What mechanisms share that add noise on whole numbers to a sum of whole numbers."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from numerics.mechanisms.base import SampledMechanism
from numerics.mechanisms.lattice_noise import LatticeNoise, LatticeShift
from numerics.mechanisms.parameters import Parameter
from numerics.mechanisms.shift import Shift
from numerics.validation import Interval, Positive, checked

LARGEST_SENSITIVITY = 1000


@dataclass(frozen=True)
@checked
class WholeNumberMechanism(SampledMechanism):
    """Noise on whole numbers, of a scale in units of the ``sensitivity``: how far one record moves the sum at most."""

    sensitivity: Annotated[int, Interval(1, LARGEST_SENSITIVITY)] = 1

    noise_law: ClassVar[type[LatticeNoise]]
    lattice_shift: ClassVar[type[LatticeShift]]
    """The test of this noise against its shift."""
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            "sensitivity",
            "Largest share, a whole number",
            "How far one record moves the sum at most, in whole units of what is counted. The noise is on whole "
            "numbers, too: with a large share it is nearly that on the line.",
            1,
            LARGEST_SENSITIVITY,
            is_whole=True,
        ),
    )

    def noise(self, unit: Positive = 1.0) -> LatticeNoise:
        """See SampledMechanism."""
        return self.noise_law(self.noise_multiplier / unit, round(self.sensitivity * unit))

    def shift(self, distance: Positive) -> Shift | None:
        """See SampledMechanism; None where the outcomes are too many to be counted one by one."""
        noise = self.noise(distance)
        return None if noise.outcomes(1) is None else self.lattice_shift(1.0 / noise.scale, noise)
