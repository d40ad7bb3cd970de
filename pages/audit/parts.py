"""Parts side by side, slices of the people or models and epochs: which give members away, and which surely less."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from losses.errors import visible
from numerics.audits import GdpClaim, Scores, Slice, at_least, rate_for, sliced, surely_below, true_positive_rate
from numerics.trade_off import Bound
from pages.server.session_cache import session_cache
from pages.ui import chart, csv_tables, readout
from pages.ui.numbers_in_words import CROWD, rounded_down, rounded_up
from pages.ui.plain_text import literal
from plotting.parts import Limits, parts_figure
from reports.audit_report import Part, plain

RATES = (0.01, 0.1)
MODELS, SLICES = "models", "slices"
_KEPT, _MOST_KEPT = "parts", 12
_NOTHING = GdpClaim(0.0)
_MOST_SHOWN = 30


@dataclass(frozen=True, eq=False)
class Parts:
    """Parts of uploaded rows, not looked at yet.

    Attributes:
        key: tells them from all others.
        kind: what they are called: ``slices``, ``models``, ``epochs``.
        names: of each.
        read: the scores of each, large ones speaking for "in".
    """

    key: tuple[str, ...]
    kind: str
    names: tuple[str, ...]
    read: Callable[[], Sequence[Scores]]


def kind_of(columns: Sequence[str]) -> str:
    """What is told apart by columns of models: ``epochs`` or ``folds`` by a column of that name alone, else models."""
    name = columns[0].casefold() if len(columns) == 1 else ""
    return {"epoch": "epochs", "fold": "folds", "checkpoint": "checkpoints"}.get(name, MODELS)


@dataclass(frozen=True, eq=False)
class Compared:
    """What the parts show, and which of them are surely below another."""

    alpha: float
    found: tuple[Slice, ...]
    below: tuple[bool, ...]

    @property
    def most(self) -> int:
        """The part of which surely most is found."""
        return max(range(len(self.found)), key=lambda place: _least(self.found[place]))


def compared(parts: Parts, level: float) -> Compared:
    """What the parts show, from this session's results if it is among them."""

    def made() -> Compared:
        scores = parts.read()
        alpha = rate_for(scores, RATES, level)
        found = sliced(scores, alpha, _NOTHING, level)
        return Compared(alpha, found, tuple(surely_below(found).tolist()))

    return session_cache(_KEPT, (parts.key, parts.kind, level), _MOST_KEPT, made)


def draw(parts: Parts, level: float, *, is_headline: bool = False) -> None:
    """Draw the sentence, the figure and the table."""
    with st.spinner("Comparing …", show_time=True):
        found = compared(parts, level)
    said = sentence(parts, found, level)
    if is_headline:
        readout.answer(said, Bound.AUDIT)
    else:
        st.markdown(said)
    draw_figure(parts, found)
    st.dataframe(table(parts, found), hide_index=True, width="stretch", alt=f"What is found of the {parts.kind}.")
    st.caption(caption(parts, found, level))


def draw_figure(parts: Parts, found: Compared) -> None:
    """Draw the parts below each other, on an axis that all files share."""
    looked = [place for place, one in enumerate(found.found) if one.rate is not None]
    most = sorted(looked, key=lambda place: -_least(found.found[place]))[:_MOST_SHOWN]
    if most:
        limits = [_limits(parts.names[place], found.found[place]) for place in sorted(most)]
        described = f"Members found of {len(limits):,} {parts.kind}, with limits that hold together."
        chart.draw(parts_figure(limits, found.alpha), described, key=f"parts_{parts.kind}")


def sentence(parts: Parts, found: Compared, level: float) -> str:
    """Which parts tell members from outsiders, and which are surely below the one that shows most."""
    count, kind = len(found.found), parts.kind
    telling, below = sum(one.exceeds for one in found.found), sum(found.below)
    sure = f"with {100 * level:g} % confidence for all {kind} together"
    if all(one.is_too_small for one in found.found):
        return f"**All {count:,} {kind} are too small to tell anything,** {sure}."
    one, verb = kind.removesuffix("s"), "gives" if telling == 1 else "give"
    who = f"All {count:,} {kind}" if telling == count else f"Of {count:,} {kind}, {telling:,}"
    first = f"**{who} surely {verb} members away**"
    if not telling:
        return f"{first}, {sure}."
    if not below:
        return f"{first}; that they differ from each other is not shown, {sure}."
    name = literal(f"“{visible(parts.names[found.most])}”")
    least, wronged = int(_least(found.found[found.most]) * CROWD), round(found.alpha * CROWD)
    others = f"1 other {one} surely gives" if below == 1 else f"{below:,} other {kind} surely give"
    return (
        f"{first}; **the most exposed {one} is {name}:** at least {least:,} of {CROWD:,} members are found at "
        f"{wronged:,} of {CROWD:,} false alarms. {others} away less, {sure}."
    )


def caption(parts: Parts, found: Compared, level: float) -> str:
    """What the limits hold for, and what is left out."""
    small, kind = sum(one.is_too_small for one in found.found), parts.kind
    needed = next((one.rate.needed for one in found.found if one.rate is not None), None)
    rate = f"{100 * found.alpha:g} %"
    words = [f"Limits at {rate} false alarms hold for all {kind} together; yes and no by Holm's procedure."]
    if small:
        takes = "" if needed is None else f": each takes 30 members and {needed:,} outsiders"
        words.append(f"{small:,} too small{takes}.")
    if len(found.found) - small > _MOST_SHOWN:
        words.append(f"The figure has the {_MOST_SHOWN} that show most.")
    return " ".join(words)


def table(parts: Parts, found: Compared) -> dict[str, list[str]]:
    """A row for each part."""
    return {
        parts.kind.removesuffix("s"): [csv_tables.inert(name) for name in parts.names],
        "members": [f"{one.members:,}" for one in found.found],
        "outsiders": [f"{one.null:,}" for one in found.found],
        **columns(found),
    }


def evidence(parts: Parts, level: float) -> Part:
    """The table for a report."""
    found = compared(parts, level)
    cells = table(parts, found)
    note = f"{plain(sentence(parts, found, level))} {caption(parts, found, level)}"
    return Part(f"All {parts.kind}", tuple(zip(*cells.values(), strict=True)), tuple(cells), note)


def columns(found: Compared) -> dict[str, list[str]]:
    """What is found of each, without its name."""
    at = f"found at {100 * found.alpha:g} %"
    return {
        f"{at}: at least": [_rate(one, is_lower=True) for one in found.found],
        "at most": [_rate(one, is_lower=False) for one in found.found],
        "gives members away": [_answer(one) for one in found.found],
        "less than the most": ["yes" if below else "not shown" for below in found.below],
    }


def draw_count(parts: Parts, level: float, alpha: float) -> None:
    """Draw the choice of how many models are spoken of, and what they give away at least."""
    models = len(parts.names)
    count = st.number_input(
        f"{parts.kind.capitalize()}, of {models:,}", 1, models, 1, key=f"count_{parts.kind}", width=180, help=_COUNT
    )

    def found() -> float:
        return at_least(int(count), [_bound(one, alpha) for one in parts.read()], level)

    least = session_cache("counted models", (parts.key, int(count), alpha, level), _MOST_KEPT, found)
    one = parts.kind.removesuffix("s")
    who = f"The most exposed {one} gives" if count == 1 else f"At least {count:,} of {models:,} {parts.kind} give"
    who = f"Each of the {models:,} {parts.kind} gives" if count == models else who
    st.markdown(
        f"{who} away at least **{int(least * CROWD):,} of {CROWD:,}** members at {round(alpha * CROWD):,} of {CROWD:,} "
        f"false alarms, with {100 * level:g} % confidence."
    )


def _bound(scores: Scores, alpha: float) -> Callable[[float], float]:
    return lambda level: true_positive_rate(scores, alpha, level).lower or 0.0


_COUNT = (
    "1 speaks of the most exposed one, the largest number of all of them. Choose before you look: the confidence "
    "is that of one number fixed beforehand."
)


def _limits(name: str, one: Slice) -> Limits:
    assert one.rate is not None
    return Limits(visible(name), one.rate.value, one.rate.lower, one.rate.upper)


def _least(one: Slice) -> float:
    return 0.0 if one.rate is None or one.rate.lower is None else one.rate.lower


def _rate(one: Slice, *, is_lower: bool) -> str:
    if one.rate is None or (is_lower and one.rate.lower is None):
        return "—"
    return rounded_down(_least(one)) if is_lower else rounded_up(one.rate.upper)


def _answer(one: Slice) -> str:
    return "yes" if one.exceeds else "too small" if one.is_too_small else "not shown"
