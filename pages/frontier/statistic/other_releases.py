"""The same limit for releases that are no sum with Gaussian noise: whole counts, blurred answers, and a choice."""

import streamlit as st

from numerics.calibration import UnreachableError
from numerics.frontier.releases import Choice, Release, Survey, WholeHistogram
from pages.frontier.limits import Limit, in_full
from pages.frontier.statistic import cached
from pages.frontier.statistic.answers import number
from pages.frontier.statistic.controls import StatisticSetting
from pages.ui import csv_tables, downloads
from pages.ui.number_box import whole_box
from pages.ui.numbers_in_words import rounded_up

_ASSUMED = (
    "Everybody is in one bin, has one answer, and speaks for any of the candidates. Full knowledge, one release. The "
    "histogram and the choice compare the chosen neighbours, and a replaced person moves two bins; answers are always "
    "those of one person or another, as nobody else sees the true one. Errors are from the noise alone: the expected "
    "largest of all bins; the standard deviation of the unbiased share where it is largest; and how many people fewer "
    "than for the best speak for what is chosen, expected, at the counts where that is most."
)


def draw(setting: StatisticSetting) -> None:
    """Draw the three, with the sizes that they have."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        bins = whole_box("Bins of whole counts", "frontier.stat_whole_bins", (2, 1e5), 20, width=170)
        answers = whole_box("Answers to choose from", "frontier.stat_answers", (2, 1e5), 2, width=170)
        candidates = whole_box("Candidates", "frontier.stat_candidates", (2, 1e5), 10, width=170)
    people, adjacency = setting.released.people, setting.asked.adjacency
    releases: dict[str, Release] = {
        f"whole counts in {bins:,} bins": WholeHistogram(people, bins, adjacency),
        f"the share with one of {answers:,} answers": Survey(people, answers),
        f"a choice among {candidates:,}": Choice(people, candidates, adjacency),
    }
    rows = [(words, *_row(release, setting.limit)) for words, release in releases.items()]
    st.markdown(f"**For {in_full(setting.limit)}:**")
    names = "released", "mechanism", "noise, 1/ε", "off by", "counted in"
    columns = {name: [row[i] for row in rows] for i, name in enumerate(names)}
    st.table(columns, hide_index=True)
    st.caption(_ASSUMED)
    header = {"limit": in_full(setting.limit), "people": str(people), "assumed": _ASSUMED}
    downloads.button("Data (CSV)", "other-releases.csv", lambda: csv_tables.table(columns, header))


def _row(release: Release, limit: Limit) -> tuple[str, str, str, str]:
    name = release.mechanism().name
    try:
        kept = cached.kept(release, limit)
    except UnreachableError as reason:
        return name, str(reason), "—", release.unit
    return name, rounded_up(kept.mechanism.noise_multiplier), number(kept.error), release.unit
