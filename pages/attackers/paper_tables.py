"""Tables 3 and 5 of paper 004, computed anew."""

from functools import partial

import numpy as np
import streamlit as st

from numerics.gaussian_membership import GradientRelease, level, step_mu
from pages.ui import cached_threat_models, csv_tables, downloads
from pages.ui.threat_models.release import ReleaseSetting

# The verification runs (paper 004 Table 3): five steps on all records, without noise.
VERIFIED = {
    "CIFAR-10": GradientRelease(500, 500, 5, 650),
    "Purchase": GradientRelease(1970, 1970, 5, 2580),
    "Adult": GradientRelease(790, 790, 5, 1026),
}
# The training runs (Table 4): release without noise, clipping norm C.
TRAINED = {
    "CIFAR-10": (GradientRelease.of_epochs(48_000, 400, 10, 650), 500.0),
    "Purchase": (GradientRelease.of_epochs(54_855, 795, 3, 2580), 2000.0),
    "Adult": (GradientRelease.of_epochs(43_000, 1000, 20, 1026), 800.0),
}
LEVELS = tuple(float(mu) for mu in 0.4 * 125.0 ** (np.arange(20) / 19.0))


def draw(setting: ReleaseSetting) -> None:
    """Draw both tables and their data."""
    del setting  # the tables have releases of their own
    st.markdown("**Table 3.** Effect size of one step on all records without any noise, and of five.")
    st.table(table_3())
    st.markdown(
        "**Table 5.** Noise on the mean gradient that keeps level μ: under differential privacy (DP), and under "
        "membership privacy (MIP, the lesser of its own formula and DP's). 0 says that the other gradients of the "
        "batch are enough for typical records; it no longer protects unusual ones."
    )
    table = table_5()
    two_decimals = st.column_config.NumberColumn(format="%.2f")
    csv_tables.draw(table, column_config=dict.fromkeys(table, two_decimals))
    columns = {name: [f"{value:.2f}" for value in column] for name, column in table.items()}
    data = partial(csv_tables.table, columns, {"source": "paper 004 Table 5"})
    downloads.button("Data (CSV)", "paper-004-table-5.csv", data)


def table_3() -> dict[str, list[str]]:
    """Columns of Table 3, for the data sets of the paper."""
    rows = list(VERIFIED.values())
    return {
        "Data": list(VERIFIED),
        "n = N": [f"{release.batch_size:,}" for release in rows],
        "d = K": [f"{release.dimension:,}" for release in rows],
        "μ of a step": [f"{step_mu(release.effective_size, release.dimension):.6f}" for release in rows],
        "μ of five steps": [f"{level(release).mu:.6f}" for release in rows],
    }


def table_5() -> dict[str, list[float]]:
    """Columns of Table 5: noise on the mean gradient, to its two decimals."""
    columns: dict[str, list[float]] = {"μ": [round(mu, 2) for mu in LEVELS]}
    for name, (release, clip) in TRAINED.items():
        found = [cached_threat_models.membership_noise_at(mu, release) for mu in LEVELS]
        unit = clip / release.batch_size
        columns[f"{name} (MIP)"] = [round(each.noise_multiplier * unit, 2) for each in found]
        columns[f"{name} (DP)"] = [round(each.private_noise * unit, 2) for each in found]
    return columns
