"""Fig. 1 and 2: how good models are against what they show of their training data."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

import numpy as np

from losses.sweeps.samples import SWEEPS
from losses.sweeps.table import sweep
from numerics import shipped
from numerics.pareto import Averages, Better, Mask, hull, non_dominated
from pages.papers.figure import Drawing, MovingParameter, PaperFigure, Printed
from pages.ui.address import Query
from pages.ui.catalog import FRONTIER
from plotting.assembly import LEGEND
from plotting.landscape import NOT_DOMINATED, Goal, Landscape, landscape_figure

_SAMPLES = {sample.name: sample for sample in SWEEPS}
_OWN, _PRINTED = "our sweep, accuracy", "001 Fig. 1, printed"
_PURCHASE = "Purchase-100, printed"
_BARE, _PRIVATE = "without DP", "with DP-SGD"
_OURS = "MNIST in place of Purchase-100"
_PROMISES = (1.0, 3.0, 10.0, 100.0)
_WEIGH: Query = {"frontier.weigh": "your own sweep"}


@dataclass(frozen=True, eq=False)
class _Strategies:
    """Strategies (m,), an average of five models each; the promise of those without one is 0."""

    kinds: tuple[str, ...]
    names: tuple[str, ...]
    promise: tuple[float, ...]
    utility: Averages
    privacy: Averages

    def where(self, mask: Mask) -> "_Strategies":
        """Those of the mask (m,)."""
        kept = np.flatnonzero(mask)
        kinds, names = (tuple(one[place] for place in kept) for one in (self.kinds, self.names))
        utility, privacy = (Averages(*(values[kept] for values in one)) for one in (self.utility, self.privacy))
        return _Strategies(kinds, names, tuple(self.promise[place] for place in kept), utility, privacy)


def _promise(kind: str) -> float:
    return float(kind.rpartition(" ")[2]) if kind.startswith("DP-SGD") else 0.0


@cache
def purchase() -> _Strategies:
    """The three baselines on Purchase-100 whose averages the paper prints."""
    found = sweep(_SAMPLES[_PRINTED].table(), _SAMPLES[_PRINTED].roles, drop=False)
    names = tuple(f"{_PURCHASE}, {epochs} epochs" for epochs in found.settings["epochs"])
    return _Strategies((_PURCHASE,) * len(found), names, (0.0,) * len(found), found.utility, found.privacy)


@cache
def on_mnist() -> _Strategies:
    """Our own networks on MNIST."""
    found = sweep(_SAMPLES[_OWN].table(), _SAMPLES[_OWN].roles, drop=False)
    promise = tuple(map(_promise, found.kinds))
    kinds = tuple(_PRIVATE if one else _BARE for one in promise)
    return _Strategies(kinds, found.names, promise, found.utility, found.privacy)


@cache
def on_digits() -> _Strategies:
    """Our own softmax regressions on the digits."""
    groups: dict[str, list[tuple[float, float]]] = {}
    for row in shipped.rows("paper_001_fig_2"):
        settings = "" if not row["epsilon"] else f", clip {row['clip']}, {row['epochs']} epochs, {row['learning_rate']}"
        groups.setdefault(f"{row['strategy']}{settings}", []).append((float(row["accuracy"]), float(row["as_printed"])))
    runs = np.array(list(groups.values()))
    utility, privacy = (
        Averages(*(of(runs[:, :, goal], axis=1) for of in (np.mean, np.min, np.max))) for goal in (0, 1)
    )
    promise = tuple(_promise(name.partition(",")[0]) for name in groups)
    return _Strategies(tuple(_PRIVATE if one else _BARE for one in promise), tuple(groups), promise, utility, privacy)


def _drawn(strategies: Callable[[], _Strategies], printed: Callable[[], _Strategies] | None, most: float) -> Drawing:
    """Our strategies with a promise of at most ``most``, and points that the paper prints; the frontier is of ours."""
    every = strategies()
    own = every.where(np.array(every.promise) <= most)
    shown = _landscape(own, printed() if printed else every.where(np.zeros(len(every.kinds), dtype=bool)))
    figure = landscape_figure(shown)
    figure.data = [one for one in figure.data if one["name"] != NOT_DOMINATED]  # the paper has the hull alone
    figure.layout.legend = LEGEND
    private = own.where(np.array(own.promise) > 0.0)
    alt = (
        f"Accuracy against epsilon-star of {len(own.kinds)} strategies, five models each; with a promise of at most "
        f"{most:g}, epsilon-star is {private.privacy.mean.min():.3g} to {private.privacy.mean.max():.3g} on average "
        f"and accuracy up to {private.utility.mean.max():.3g}."
    )
    columns = {"strategy": shown.names, "kind": shown.kinds} | {
        f"{goal}, {which}": getattr(values, which)
        for goal, values in (("accuracy", shown.utility.runs), ("epsilon*", shown.privacy.runs))
        for which in Averages._fields
    }
    return Drawing(figure, alt, columns)


def _landscape(own: _Strategies, printed: _Strategies) -> Landscape:
    more = np.zeros(len(printed.kinds), dtype=bool)
    goals = own.utility.mean, -own.privacy.mean
    free, corners = (np.concatenate((mask(*goals), more)) for mask in (non_dominated, hull))
    utility, privacy = (
        Averages(*map(np.concatenate, zip(*both, strict=True)))
        for both in ((own.utility, printed.utility), (own.privacy, printed.privacy))
    )
    kinds = own.kinds + printed.kinds
    up, along = Goal("Accuracy", Better.HIGHER, utility), Goal("ε*, by normal fits", Better.LOWER, privacy)
    return Landscape(up, along, kinds, own.names + printed.names, free, corners, None, ("",) * len(kinds), corners)


def _of_ours(place: int, goal: str) -> float:
    """The average of a baseline of ours: after 10, 50 and 100 epochs, as the paper's."""
    return float(getattr(on_mnist(), goal).mean[place])


def _baselines() -> tuple[Printed, ...]:
    values = ((10, 2.48, 0.86), (50, 7.06, 0.904), (100, 7.79, 0.906))
    privacy = [
        Printed(f"ε* after {epochs} epochs", "Sec. 4.2", value, partial(_of_ours, place, "privacy"), 0.005, other=_OURS)
        for place, (epochs, value, _) in enumerate(values)
    ]
    utility = [
        Printed(
            f"accuracy after {epochs} epochs", "Sec. 4.2", value, partial(_of_ours, place, "utility"), 5e-4, other=_OURS
        )
        for place, (epochs, _, value) in enumerate(values)
    ]
    return (*privacy, *utility, _largest_with_dp())


def _largest_with_dp() -> Printed:
    def largest() -> float:
        own = on_mnist()
        return float(own.privacy.mean[np.array(own.promise) > 0.0].max())

    return Printed("ε* of every DP experiment, at most", "Sec. 4.2", 1.0, largest, 0.0, other=_OURS)


def _averages(seen: Drawing, kind: str) -> str:
    of_kind = np.array(seen.columns["kind"]) == kind
    found = np.asarray(seen.columns["epsilon*, mean"], dtype=float)[of_kind]
    return f"{found.min():.2f} to {found.max():.2f}"


def _with_and_without(seen: Drawing) -> str:
    return (
        f"Our networks with DP-SGD show ε* of {_averages(seen, _PRIVATE)} on average, those without "
        f"{_averages(seen, _BARE)}, the printed baselines {_averages(seen, _PURCHASE)}. The stronger the promise, the "
        "less is shown; how much is a matter of the data, which here are not the paper's."
    )


def _no_more_than_noise(seen: Drawing) -> str:
    return (
        f"With DP-SGD averages of ε* are {_averages(seen, _PRIVATE)}, without {_averages(seen, _BARE)}. So little can "
        "be the noise of the estimate: where no lower bound is above nothing, nothing is shown to leak."
    )


_PROMISE = MovingParameter("Models with DP-SGD, ε at most", _PROMISES, 100.0)

FIGURES = (
    PaperFigure(
        "001 Fig. 1",
        "Accuracy against ε* for networks with and without DP-SGD: the baselines as printed, the others ours.",
        FRONTIER,
        _WEIGH,
        draw=partial(_drawn, on_mnist, purchase),
        parameter=_PROMISE,
        notice=_with_and_without,
        printed=_baselines(),
        corrections=(24, 25),
        source="Purchase-100 does not come with the tool, and but for three its points are not printed: ours are one "
        "hidden layer on MNIST, five models a strategy (data/sweep_landscape.csv). Bars run from the "
        "smallest to the largest model; the bold line is the frontier of ours.",
    ),
    PaperFigure(
        "001 Fig. 2",
        "Accuracy against ε* for data that hardly show their members: Adult in the paper, here the digits.",
        FRONTIER,
        _WEIGH,
        draw=partial(_drawn, on_digits, None),
        parameter=_PROMISE,
        notice=_no_more_than_noise,
        printed=(
            Printed(
                "ε* of every strategy, at most",
                "Sec. 4.2",
                0.3,
                lambda: float(on_digits().privacy.mean.max()),
                0.0,
                other="the digits in place of Adult",
            ),
        ),
        corrections=(24, 25),
        source="Adult does not come with the tool: softmax regression on the digits, five models a strategy "
        "(data/paper_001_fig_2.csv); of all 185 models none has a 95 % lower bound above "
        "0. The paper has the area under the ROC curve upwards, and ε* below 0.3.",
    ),
)
