"""The explorer's downloads: of the objects that were drawn."""

from collections.abc import Callable, Mapping, Sequence

from numerics.trade_off import TradeOffCurve
from pages.ui import downloads
from pages.ui.release_controls import ReleaseChoice
from plotting import theme


def draw(
    choice: ReleaseChoice,
    prior: float,
    curves: Sequence[TradeOffCurve],
    figure: theme.Figure,
    others: Mapping[str, Callable[[], str]],
    certificate: Callable[[], None],
) -> None:
    """Offer the drawn curves (the release's own first), the figures, the snippet, the address and the certificate."""
    settings = {
        "release in force": downloads.constructor(choice.mechanism),
        "order of the test": choice.order.value,
        "operating point": f"alpha = {choice.alpha:g}",
        "delta": f"{choice.delta:g}",
    }

    def data() -> str:
        return (
            downloads.curve_table(curves[0], settings) if len(curves) == 1 else downloads.curves_table(curves, settings)
        )

    python = downloads.snippet(choice.mechanism, choice.alpha, choice.delta, choice.order, prior)
    notes = settings | {curve.label: " ".join(curve.assumptions) for curve in curves}
    downloads.offer("trade-off", data, python, figure, notes, others=others, certificate=certificate)
