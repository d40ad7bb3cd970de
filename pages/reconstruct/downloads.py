"""The page's downloads: of the objects that were drawn."""

from collections.abc import Callable, Sequence

import numpy as np

from numerics.trade_off import TradeOffCurve
from pages.reconstruct.controls import ReconstructionSetting
from pages.reconstruct.formulas import snippet
from pages.ui import downloads
from plotting import theme


def draw(
    setting: ReconstructionSetting,
    curves: Sequence[TradeOffCurve],
    figure: theme.Figure,
    sweep: Callable[[], str],
    certificate: Callable[[], None],
) -> None:
    """Offer the drawn curves (the release's own first), the figures, the snippet, the address and the certificate.

    ``sweep`` makes the data of the second figure.
    """
    settings = {
        "release in force": downloads.constructor(setting.release),
        "prior in force": f"kappa = {setting.prior!r} {setting.known.words}".strip(),
        "delta": f"{setting.choice.delta:g}",
    }
    notes = settings | {curve.label: " ".join(curve.assumptions) for curve in curves}
    downloads.offer(
        "reconstruction",
        lambda: table(curves, notes),
        snippet(setting),
        figure,
        notes,
        others={f"against {setting.across}": sweep},
        certificate=certificate,
    )


def table(curves: Sequence[TradeOffCurve], notes: dict[str, str]) -> str:
    """CSV of the curves below each other: prior, reconstruction probability, and its two limits where it has any."""
    header = {"prior": "kappa, probability of a right guess", "reconstruction": "gamma; at most, at least: certified"}
    names = [curve.label for curve in curves for _ in curve.alpha]
    kinds = [curve.bound.value for curve in curves for _ in curve.alpha]
    at_most, at_least = zip(*map(downloads.powers, curves), strict=True)
    columns = {
        "prior": [curve.alpha for curve in curves],
        "reconstruction": [curve.power for curve in curves],
        "at most": at_most,
        "at least": at_least,
    }
    joined = {name: np.concatenate(parts) for name, parts in columns.items()}
    return downloads.table({"curve": names, "kind": kinds, **joined}, header | notes)
