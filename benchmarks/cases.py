"""The mechanisms that are measured: published training runs and plain releases."""

from typing import NamedTuple

from numerics.mechanisms import Gaussian, Laplace, SampledMechanism


class Case(NamedTuple):
    """A mechanism, the delta at which its epsilon is asked for, and one beyond which no line matters."""

    name: str
    mechanism: SampledMechanism
    delta: float
    largest_epsilon: float = 12.0


CASES = (
    Case("A", Gaussian(1.0, 0.01, 1_000), 1e-5),
    Case("B", Gaussian(0.6, 0.001, 10_000), 1e-5),
    Case("C", Gaussian(10.5, 4096 / 50_000, 1_000), 1e-5),
    Case("D", Gaussian(2.0, 0.9, 1), 1e-5),
    Case("S", Gaussian(1.15, 4096 / 549_361, 405), 1.8e-6),
    Case("E", Laplace(1.0, 1.0, 30), 1e-5, 30.0),
    Case("F", Laplace(1.0, 0.1, 100), 1e-5),
)
