"""The explorer's downloads: of the objects that were drawn."""

from collections.abc import Callable, Mapping, Sequence

from numerics.trade_off import TradeOffCurve
from pages.shared import export
from pages.shared.controls import Choice
from plotting import theme


def draw(
    choice: Choice,
    prior: float,
    curves: Sequence[TradeOffCurve],
    figure: theme.Figure,
    others: Mapping[str, Callable[[], str]],
    certificate: Callable[[], None],
) -> None:
    """Offer the drawn curves (the release's own first), the figures, the snippet, the address and the certificate."""
    settings = {
        "release in force": export.constructor(choice.mechanism),
        "order of the test": choice.order.value,
        "operating point": f"alpha = {choice.alpha:g}",
        "delta": f"{choice.delta:g}",
    }

    def data() -> str:
        return export.curve_table(curves[0], settings) if len(curves) == 1 else export.curves_table(curves, settings)

    python = export.snippet(choice.mechanism, choice.alpha, choice.delta, choice.order, prior)
    notes = settings | {curve.label: " ".join(curve.assumptions) for curve in curves}
    export.offer("trade-off", data, python, figure, notes, others=others, certificate=certificate)
