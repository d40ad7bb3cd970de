"""Exact eta of the bundled data sets, cached. A visitor's own values never get here."""

from numerics.deadline import UNLIMITED, Deadline
from pages.attackers.noise_for_eta import exact_eta, small_release
from pages.attackers.noise_for_eta.exact_eta import NoiseComparison
from pages.attackers.noise_for_eta.small_release import SmallDataSet
from pages.server.shared_cache import shared_cache


@shared_cache
def compare(
    data: SmallDataSet, records: int, goal: float, moment: float, deadline: Deadline = UNLIMITED
) -> NoiseComparison:
    """See ``exact_eta.compare``; the data are the bundled ones. Raises ValueError for a visitor's own."""
    if data is SmallDataSet.OWN:
        raise ValueError("data must be bundled: a visitor's own values are not cached.")
    return exact_eta.compare(small_release.bundled(data, records), goal, moment, deadline)
