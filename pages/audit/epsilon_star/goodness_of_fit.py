"""Do normal laws, or mixtures of them, fit the losses? Kolmogorov-Smirnov tests of 1 to 20 components (001 Fig. 6)."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field

import numpy as np
import streamlit as st

from losses import Groups
from numerics.epsilon_star import Transform, ascending
from numerics.epsilon_star.mixtures import ACCEPTED, MOST_COMPONENTS, GoodnessOfFit, goodness_of_fit
from numerics.trade_off import Floats
from pages.audit.epsilon_star import figures
from pages.audit.epsilon_star.audits import EpsilonStarAudit
from pages.audit.epsilon_star.source import LossSource
from pages.ui import chart, csv_tables, downloads
from pages.ui.task_runner import TaskRunner
from plotting.fit import REJECTED, fit_figure

RUNNER = TaskRunner("audit.fit")
GROUPS = ("training data", "fresh data")
_SIZES = tuple(range(100, 1001, 100))
_SECONDS = 3.0
_WORDS = (
    "**Do the laws fit?** Mixtures of 1 to 20 normal laws are fitted to the losses on the scale of the fit, and tested "
    "on losses held out. The paper draws a second sample from the fit; testing the fit itself adds no noise."
)
_LEGEND = (
    f"P-values of the Kolmogorov-Smirnov test. Blue: not rejected at 5 %. Orange with {REJECTED}: rejected. Small "
    "samples reject little, and no test sees the far tails, on which ε\\* often hangs."
)


class Loan:
    """Losses for one run; what is taken is not held any longer, so that no result keeps an upload alive."""

    def __init__(self, groups: Callable[[], Groups]) -> None:
        self._groups: Callable[[], Groups] | None = groups

    def take(self) -> Callable[[], Groups]:
        """Hand over what reads the losses, once.

        Raises ValueError the second time.
        """
        if self._groups is None:
            raise ValueError("losses must be read anew for another run.")
        groups, self._groups = self._groups, None
        return groups


@dataclass(frozen=True, eq=False)
class FitRow:
    """One number of components for one group, the ``done``-th of ``total`` fits."""

    done: int
    total: int
    group: int
    components: int
    sizes: tuple[int, ...]
    p_values: Floats


@dataclass(frozen=True)
class Fits:
    """All fits of the losses named ``key``. See task_runner.Task."""

    key: tuple[str, ...]
    transform: Transform
    loan: Loan = field(compare=False)

    def start(self) -> Generator[FitRow, None, None]:
        """The fits, one at a time."""
        return rows(self.loan.take(), self.transform)

    def words(self, chunks: Sequence[FitRow], seconds: float) -> str:
        """How far it is."""
        return f"{len(chunks)} of {2 * MOST_COMPONENTS} fits, {seconds:.0f} s"

    def result(self, chunks: Sequence[FitRow], seconds: float) -> tuple[GoodnessOfFit, ...]:
        """What the fits there are say, a map for each group that has any."""
        maps = (_map([row for row in chunks if row.group == group]) for group in range(len(GROUPS)))
        return tuple(found for found in maps if found is not None)


def rows(groups: Callable[[], Groups], transform: Transform) -> Generator[FitRow, None, None]:
    """All fits of both groups, the simplest first; NaN where too few losses differ for so many components."""
    read, done = groups(), 0
    for group, losses in enumerate((read.train, read.population)):
        values = transform.scores(ascending(losses))
        sizes = tuple(size for size in _SIZES if size <= len(values) // 2) or (len(values) // 2,)
        for components in range(1, MOST_COMPONENTS + 1):
            done += 1
            found = _p_values(values, components, sizes)
            yield FitRow(done, len(GROUPS) * MOST_COMPONENTS, group, components, sizes, found)


def _p_values(values: Floats, components: int, sizes: tuple[int, ...]) -> Floats:
    try:
        return np.asarray(goodness_of_fit(values, (components,), sizes).p_values[0])
    except ValueError:
        return np.full(len(sizes), np.nan)


def _map(found: Sequence[FitRow]) -> GoodnessOfFit | None:
    if not found:
        return None
    components = tuple(row.components for row in found)
    return GoodnessOfFit(components, found[0].sizes, np.array([row.p_values for row in found]))


def draw(source: LossSource, audit: EpsilonStarAudit) -> None:
    """Draw the heat maps of both groups; the fits run when they are asked for."""
    st.markdown(_WORDS)
    task = Fits(source.key, audit.summary.transform, Loan(source.groups))
    RUNNER.draw_start(task, _SECONDS)
    maps: tuple[GoodnessOfFit, ...] = RUNNER.result_of(task) or ()
    if maps:
        _draw_maps(maps)
        st.caption(_LEGEND)
        header = figures.settings(source, audit)
        downloads.button("Data (CSV)", "goodness-of-fit.csv", lambda: table(maps, header))


def _draw_maps(maps: Sequence[GoodnessOfFit]) -> None:
    for column, fits, name in zip(st.columns(len(GROUPS), gap="medium"), maps, GROUPS, strict=False):
        with column:
            words = sentence(fits, name)
            st.markdown(words)
            chart.draw(fit_figure(fits), words.replace("*", ""), key=f"audit.fit_chart_{name.replace(' ', '_')}")


def sentence(fits: GoodnessOfFit, name: str) -> str:
    """How many numbers of components pass on the largest sample, the fewest of them, and whether one is enough."""
    last = fits.p_values[:, -1]
    tested = int(np.sum(~np.isnan(last)))
    on = f"on {fits.sizes[-1]:,} held-out losses"
    if tested == 0:
        return f"**{name.capitalize()}:** too few different losses to fit anything."
    passing = [count for count, p_value in zip(fits.components, last, strict=True) if p_value >= ACCEPTED]
    if not passing:
        return f"**{name.capitalize()}:** {on}, **every** mixture is rejected; none of {tested} passes."
    normal = "the normal law is one of them" if 1 in passing else f"the fewest components are {passing[0]}"
    return f"**{name.capitalize()}:** {on}, **{len(passing)} of {tested}** numbers of components pass; {normal}."


def table(maps: Sequence[GoodnessOfFit], header: dict[str, str]) -> str:
    """CSV of every p-value."""
    cells = [
        (GROUPS[group], float(count), float(size), float(fits.p_values[row, column]))
        for group, fits in enumerate(maps)
        for row, count in enumerate(fits.components)
        for column, size in enumerate(fits.sizes)
    ]
    names, counts, sizes, p_values = zip(*cells, strict=True)
    columns: dict[str, Floats | Sequence[str]] = {
        "group": names,
        "components": np.array(counts),
        "sample size": np.array(sizes),
        "p-value": np.array(p_values),
    }
    return csv_tables.table(columns, header)
