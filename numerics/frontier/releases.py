"""Releases that are no sum with Gaussian noise: whole counts, answers that people blur themselves, and a choice.

Each has a mechanism and an error that the noise alone makes, in closed form; how much noise a limit takes is asked of
the mechanism's own curve (``numerics.calibration``).
"""

from abc import ABC, abstractmethod
from typing import Annotated, ClassVar, NamedTuple

import numpy as np
from scipy.special import lambertw

from numerics.calibration import Target, noise_for
from numerics.frontier.statistics import LARGEST_DIMENSION, People
from numerics.mechanisms import Adjacency, Mechanism, SampledMechanism
from numerics.mechanisms.discrete_laplace import DiscreteLaplace
from numerics.mechanisms.exponential_mechanism import ExponentialMechanism
from numerics.mechanisms.randomised_response import LARGEST_CATEGORIES, RandomisedResponse
from numerics.validation import Interval, Positive, value

_TERMS = 4096  # of a sum over whole numbers


@value
class Release(ABC):
    """Something released once about ``people``, and what its noise costs."""

    people: People

    unit: ClassVar[str]
    """What the error is counted in."""

    @abstractmethod
    def mechanism(self, noise_multiplier: Positive = 1.0) -> SampledMechanism:
        """What releases it."""

    @abstractmethod
    def error(self, noise_multiplier: Positive) -> float:
        """Error from the noise."""

    def kept(self, target: Target) -> "CalibratedRelease":
        """The least noise with which the mechanism keeps ``target``, and its error; raises UnreachableError."""
        found = noise_for(target, self.mechanism())
        return CalibratedRelease(found.mechanism, self.error(found.noise_multiplier))


class CalibratedRelease(NamedTuple):
    """The ``mechanism`` that keeps a limit, and the ``error`` from its noise."""

    mechanism: Mechanism
    error: float


@value
class WholeHistogram(Release):
    """Counts of people in ``bins``, one each, with discrete Laplace noise; the error is that of the worst bin."""

    bins: Annotated[int, Interval(2, LARGEST_DIMENSION)] = 10
    adjacency: Adjacency = Adjacency.ADD_REMOVE

    unit: ClassVar[str] = "people in the worst bin"

    def mechanism(self, noise_multiplier: Positive = 1.0) -> SampledMechanism:
        """One bin by one. A replaced person moves two bins by one each, which is two releases of that kind."""
        return DiscreteLaplace(noise_multiplier, steps=round(self.adjacency.reach))

    def error(self, noise_multiplier: Positive) -> float:
        """Expected largest of k absolute values: the sum over m of P(any |X| >= m), P(|X| >= m) = 2 q^m / (1 + q).

        Where that has too many terms, by the midpoint rule.
        """
        width = max(noise_multiplier * (40.0 + np.log(self.bins)) / _TERMS, 1.0)
        m = (np.arange(_TERMS) + 0.5) * width + 0.5 if width > 1.0 else np.arange(1.0, _TERMS + 1.0)
        rate = 1.0 / noise_multiplier
        beyond = np.minimum(2.0 * np.exp(-m * rate) / (1.0 + np.exp(-rate)), 1.0)
        with np.errstate(divide="ignore"):
            return float(width * np.sum(-np.expm1(self.bins * np.log1p(-beyond))))


@value
class Survey(Release):
    """The share of people with one of ``categories`` answers, each of whom answers by randomised response.

    The error is the standard deviation that the random answers add to the unbiased estimate of a share, at the share
    where they add most.
    """

    categories: Annotated[int, Interval(2, LARGEST_CATEGORIES)] = 2

    unit: ClassVar[str] = "of the share"

    def mechanism(self, noise_multiplier: Positive = 1.0) -> SampledMechanism:
        """See Release: one person's answer or another."""
        return RandomisedResponse(noise_multiplier, categories=self.categories)

    def error(self, noise_multiplier: Positive) -> float:
        """sqrt(v / n) / (t - r), with t and r the chances of an answer by those who have it and who have not.

        The answers of n people, a share s of whom has it, vary by n (s t (1 - t) + (1 - s) r (1 - r)), which is
        linear in s: the larger end counts.
        """
        rare = np.exp(-1.0 / noise_multiplier)
        whole = 1.0 + (self.categories - 1) * rare
        true, other = 1.0 / whole, rare / whole
        spread = max(true * (1.0 - true), other * (1.0 - other))
        return float(np.sqrt(spread / self.people) * whole / -np.expm1(-1.0 / noise_multiplier))


@value
class Choice(Release):
    """One of ``candidates`` by how many people speak for each; the error is what the choice lacks to the best.

    That is the expected lack, at the counts where it is largest: with all others as far behind the best as each other.
    """

    candidates: Annotated[int, Interval(2, LARGEST_DIMENSION)] = 10
    adjacency: Adjacency = Adjacency.ADD_REMOVE

    unit: ClassVar[str] = "people fewer than for the best"

    def mechanism(self, noise_multiplier: Positive = 1.0) -> SampledMechanism:
        """See Release; chosen with weights e^(epsilon count).

        A person more raises some of the counts by one and lowers none, so twice the usual exponent has the range
        epsilon (Durfee and Rogers 2019); one replaced changes differences of counts by two, and the range is twice it.
        """
        return ExponentialMechanism(noise_multiplier, adjacency=self.adjacency)

    def error(self, noise_multiplier: Positive) -> float:
        """W((k - 1) / e) / epsilon, W Lambert's function.

        With x_i behind, in units of 1 / epsilon, the lack is f = sum x_i e^-x_i / (1 + sum e^-x_i). Where it is largest
        x_i = 1 + f for every i, hence f e^f = (k - 1) / e.
        """
        return noise_multiplier * float(lambertw((self.candidates - 1) / np.e).real)
