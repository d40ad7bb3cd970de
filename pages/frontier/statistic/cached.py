"""Cached answers about what noise costs a statistic; as ``cached``: bounded, pure, nothing uploaded."""

from dataclasses import dataclass, replace

import numpy as np

from numerics import frontier as exact
from numerics.calibration import Target
from numerics.frontier import AdvantageMeasure, Frontier, Measure, Notion, PowerMeasure, Statistic
from numerics.frontier.releases import CalibratedRelease, Release
from numerics.mechanisms import Adjacency
from numerics.trade_off import Floats
from pages.server.shared_cache import shared_cache

_POINTS = 60
_LEAST_EPSILON, _MOST_EPSILON = 0.01, 20.0
_PEOPLE = tuple(int(n) for n in np.unique(np.round(np.geomspace(10, 1e9, 65))))


@dataclass(frozen=True)
class Asked:
    """What is released, how attack success is stated, and the neighbours of full knowledge."""

    statistic: Statistic
    measure: Measure
    adjacency: Adjacency


def goals(measure: Measure) -> Floats:
    """Where the figure asks: from next to guessing to next to certainty, evenly on a logarithmic axis."""
    if isinstance(measure, PowerMeasure):
        return np.geomspace(min(1.05 * measure.alpha, 0.99 + 0.01 * measure.alpha), 0.999, _POINTS)
    ends = (1e-3, 0.99) if isinstance(measure, AdvantageMeasure) else (_LEAST_EPSILON, _MOST_EPSILON)
    return np.geomspace(*ends, _POINTS)


@shared_cache
def line(asked: Asked, notion: Notion) -> Frontier:
    """Noise and error against attack success."""
    return exact.frontier(asked.statistic, asked.measure, notion, asked.adjacency, goals(asked.measure))


@shared_cache
def at(asked: Asked, notion: Notion, goal: float) -> Frontier:
    """Noise and error at one goal."""
    return exact.frontier(asked.statistic, asked.measure, notion, asked.adjacency, np.array([goal]))


@shared_cache
def by_people(asked: Asked, notion: Notion, goal: float) -> tuple[Floats, Floats]:
    """Numbers of people (n,), and the error (n,) with so many."""
    errors = [at(replace(asked, statistic=replace(asked.statistic, people=n)), notion, goal).error[0] for n in _PEOPLE]
    return np.array(_PEOPLE, dtype=float), np.array(errors)


def sampling_by_people(statistic: Statistic) -> tuple[Floats, Floats]:
    """The same for the error of sampling."""
    errors = [replace(statistic, people=n).sampling_error for n in _PEOPLE]
    return np.array(_PEOPLE, dtype=float), np.array(errors)


@shared_cache
def people_needed(asked: Asked, notion: Notion, goal: float, share: float = 1.0) -> int | None:
    """Fewest people with whom the noise costs at most ``share`` of what sampling does."""
    return exact.people_needed(asked.statistic, asked.measure, notion, asked.adjacency, goal, share)


@shared_cache
def kept(release: Release, target: Target) -> CalibratedRelease:
    """The least noise with which a release that is no sum with Gaussian noise keeps a limit."""
    return release.kept(target)


@shared_cache
def success(asked: Asked, notion: Notion, error: float) -> float:
    """Attack success when the noise may cost ``error``."""
    return exact.success(asked.statistic, asked.measure, notion, asked.adjacency, error)
