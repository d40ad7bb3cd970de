"""The literature's ways to compute the same number: what each says, how wrong it is, and what it takes."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from numerics import approximations
from numerics.approximations import LARGEST_EDGEWORTH_ORDER
from numerics.reconstruction.costs import CERTIFIED, CLT, Cost, edgeworth
from numerics.trade_off import Bound, Bracket
from pages.reconstruct import monte_carlo
from pages.reconstruct.controls import ReconstructionSetting
from pages.ui import cached_reconstruction, csv_tables, downloads, estimates
from pages.ui.error_boundary import error_boundary
from pages.ui.numbers_in_words import rounded_up

KEYS = ("reconstruct.hayes_samples",)
_MEGABYTE = 2.0**20
_NOTE = (
    "Time and memory are those of the whole curve, measured on the computer that serves this page; memory is the most "
    "that was in use at once. The paper's Edgeworth takes 1.5 s a curve, its Monte Carlo holds samples × steps numbers."
)


@dataclass(frozen=True)
class MethodRow:
    """One method: its number at the prior in force, the error, what it takes."""

    method: str
    value: str
    error: str
    cost: Cost | None

    def cells(self) -> dict[str, str]:
        """The row of the table."""
        seconds = "" if self.cost is None else f"{1000 * self.cost.seconds:,.3g} ms"
        memory = "" if self.cost is None else f"{self.cost.memory / _MEGABYTE:,.2g} MB"
        return {"method": self.method, "γ": self.value, "error": self.error, "time": seconds, "memory": memory}


def draw(setting: ReconstructionSetting) -> None:
    """Draw the table, and Monte Carlo on demand."""
    with st.spinner("Timing every method …", show_time=True):
        found = rows(setting)
    table = {name: [row.cells()[name] for row in found] for name in found[0].cells()}
    st.table(table, hide_index=True)
    st.caption(_NOTE)
    with error_boundary("Monte Carlo"):
        _draw_sampling(setting)
    header = {"release": setting.release.label, "prior": f"{setting.prior!r}"}
    downloads.button("Data (CSV)", "methods.csv", lambda: csv_tables.table(table, header))


def rows(setting: ReconstructionSetting) -> list[MethodRow]:
    """The certified value first, then the estimates; those that have none say why."""
    release, prior = setting.release, setting.prior
    truth = cached_reconstruction.success(release, prior)
    costs = cached_reconstruction.costs(release)
    found = [MethodRow("this page", *_known(truth, release.bound), costs.get(CERTIFIED))]

    def add(name: str, value: Callable[[], float]) -> None:
        try:
            guess = value()
        except ValueError as reason:
            found.append(MethodRow(name, "none", str(reason), None))
        else:
            found.append(
                MethodRow(name, f"{guess:.6g}", estimates.error_in_words(guess, truth.estimate), costs.get(name))
            )

    at = np.array([prior])
    add(CLT, lambda: float(approximations.clt(release, at).power[0]))
    for order in range(LARGEST_EDGEWORTH_ORDER + 1):
        add(edgeworth(order), lambda order=order: float(approximations.edgeworth(release, at, order).power[0]))  # type: ignore[misc]
    drawn = monte_carlo.result_of(release)
    return found if drawn is None else [*found, _sampled(drawn, prior, truth.estimate)]


def _known(truth: Bracket, bound: Bound) -> tuple[str, str]:
    """The page's own number and how well it is known."""
    if bound in (Bound.LOWER, Bound.OPEN):
        return rounded_up(truth.upper, 6), f"at most; {bound}"
    # The estimate is no midpoint: the guarantee is farther from it than the attack.
    off = max(truth.upper - truth.estimate, truth.estimate - truth.lower)
    return f"{truth.estimate:.6g}", "exact" if truth.width == 0 else f"± {rounded_up(off, 1)}, certified"


def _sampled(drawn: monte_carlo.Sampled, prior: float, truth: float) -> MethodRow:
    guess, error, usable = drawn.at(prior)
    name = f"Monte Carlo, {len(drawn.losses):,} samples"
    cost = Cost(drawn.seconds, drawn.memory)
    if not usable:
        return MethodRow(name, "not usable here", f"about {prior * len(drawn.losses):.2g} of the samples count", cost)
    return MethodRow(name, f"{guess:.4g} ± {error:.2g}", estimates.error_in_words(guess, truth), cost)


def _draw_sampling(setting: ReconstructionSetting) -> None:
    st.markdown(
        "**Monte Carlo (Hayes et al., Algorithm 1)** draws every step of many releases without the record and keeps "
        "the few that look most like it. It holds only in the limit of many samples."
    )
    samples = st.select_slider(
        "Samples",
        monte_carlo.SAMPLES,
        monte_carlo.SAMPLES[-1],
        "{:,}".format,
        key="reconstruct.hayes_samples",
        bind="query-params",
        width=300,
    )
    task = monte_carlo.MonteCarloTask(setting.release, int(samples))
    monte_carlo.RUNNER.draw_start(task, task.seconds)
