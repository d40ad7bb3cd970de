"""The statistic view's downloads: of the lines that were drawn."""

from collections.abc import Sequence

import numpy as np

from numerics.trade_off import Floats
from pages.frontier.statistic.controls import StatisticSetting
from pages.frontier.statistic.formulas import assumptions, constructor, snippet
from pages.ui import downloads
from plotting import theme
from plotting.noise_frontier import ErrorLine


def draw(setting: StatisticSetting, lines: Sequence[ErrorLine], figure: theme.Figure) -> None:
    """Offer the drawn lines, the figure, the snippet and the address."""
    notes = {
        "released": constructor(setting.released),
        "attack success": f"{constructor(setting.measure)}: {setting.measure.label}",
        "neighbours of full knowledge": setting.asked.adjacency.value,
        "limit": repr(setting.goal),
        "error": f"from the noise, {setting.released.unit}",
        "sampling error": repr(setting.released.sampling_error),
        "assumptions": " ".join(assumptions(setting)),
    }
    downloads.offer("noise-frontier", lambda: table(lines, notes), snippet(setting), figure, notes)


def table(lines: Sequence[ErrorLine], notes: dict[str, str]) -> str:
    """CSV of all lines below each other, told apart by the column ``attacker``."""
    columns: dict[str, Floats | Sequence[str]] = {
        "attacker": [line.label for line in lines for _ in line.across],
        "kind of bound": [line.bound.value for line in lines for _ in line.across],
        "attack success": np.concatenate([line.across for line in lines]),
        "error": np.concatenate([line.error for line in lines]),
    }
    return downloads.table(columns, notes)
