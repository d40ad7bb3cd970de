"""A look at what was uploaded before anything is made of it: first rows, what each column was taken for, a histogram.

Nothing follows from a file until a visitor has confirmed how it is read; one click does where nothing is open. Then all
of it folds to a line. What was confirmed holds for the very files and choices: whatever changes is confirmed anew, and
what was confirmed before stays in force while it is only looked at again.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeVar

import numpy as np
import streamlit as st

from losses import Groups, LossTable, TableError, read_table
from losses.isolation.worker import Reader
from losses.names import natural
from losses.table import NO_LABEL, AnyColumn, ClusterColumn, NumberColumn, unusable_rows
from numerics.trade_off import Floats
from pages.server.shared_cache import session_cache
from pages.ui import address, chart, downloads, uploads
from pages.ui.plain_text import literal
from pages.ui.uploads import Check, Upload
from plotting import group_histograms
from plotting.group_histograms import GroupHistogram
from reports.rounding import how_many

UNKNOWN = "choose …"
MEMBERS = ("training data", "fresh data")
_SAID = "as you said"
_OPEN = "please say it"
_NAMED = 4  # columns of a list, on the folded line
_ROWS, _COLUMNS = 5, 8  # of a table, that are shown
_UNUSABLE = "not usable"

_Option = TypeVar("_Option")


@dataclass(frozen=True, eq=False)
class UploadLook:
    """What the files hold, as far as a glance shows it.

    Attributes:
        words: how many rows are usable and how many are left out, in plain text.
        notes: what else is to be known, a sentence each.
        histogram: of the numbers that are read, by group; None where there is nothing to count.
    """

    words: str
    notes: tuple[str, ...] = ()
    histogram: GroupHistogram | None = None


def look_at(groups: Mapping[str, Floats], left_out: int, axis: str, notes: Sequence[str] = ()) -> UploadLook:
    """A glance at the numbers of each group; with two of them, who was in comes first."""
    counts = ", ".join(f"{len(values):,} {name}" for name, values in groups.items())
    rows = "no row" if not left_out else "1 row" if left_out == 1 else f"{left_out:,} rows"
    histogram = group_histograms.counted(groups, axis)
    return UploadLook(f"{counts}; {rows} left out", tuple(notes), histogram)


def look_at_losses(groups: Groups, axis: str = "Loss") -> UploadLook:
    """A glance at two groups of losses."""
    both = dict(zip(MEMBERS, (groups.train, groups.population), strict=True))
    return look_at(both, groups.dropped, axis, (*groups.notes, *groups.doubts))


def refusing(problem: TableError) -> Callable[[], UploadLook]:
    """A glance at what cannot be read as it was chosen."""

    def look() -> UploadLook:
        raise problem

    return look


def nothing() -> UploadLook:
    """What there is to see while a question is open."""
    return UploadLook("")


@dataclass(frozen=True)
class _Confirmed:
    """What was confirmed: files and choices; how many rows there were; and whether it is folded to a line."""

    key: tuple[str, ...]
    words: str
    is_folded: bool = True


class Preview:
    """Files that came, the choices of how they are read, and whether that is confirmed."""

    def __init__(self, slot: str, files: Mapping[str, Upload], button: str = "Measure") -> None:
        """``files`` by the slots that hold them, or by their names; ``slot`` tells this preview from all others."""
        self.slot, self.files, self._button = slot, files, button
        self._marks = tuple(file.key for file in files.values())
        self._digest = sha256("".join(file.digest for file in files.values()).encode()).hexdigest()[:16]
        self._roles: dict[str, str] = {}
        self._said: list[tuple[str, str]] = []
        self._place = st.container() if self.is_folded else st.container(border=True)
        self._head = self._place.container(gap="xsmall")
        self._choices = self._place.container(horizontal=True, vertical_alignment="top")

    @property
    def is_folded(self) -> bool:
        """Whether only a line is shown."""
        kept = _kept(self.slot)
        return kept is not None and kept.is_folded and kept.key[: len(self._marks)] == self._marks

    @property
    def tables(self) -> list[LossTable]:
        """What was read."""
        return [file.table for file in self.files.values()]

    def choice(
        self,
        label: str,
        what: str,
        options: Sequence[_Option],
        why: str | Callable[[_Option], str] = "",
        words: Callable[[_Option], str] = str,
        width: int = 220,
    ) -> _Option:
        """One of the options; ``why`` gives the reason for the first, which holds unless somebody says otherwise."""
        place = self.memory(what)
        if self.is_folded:
            kept = st.session_state.get(place)
            chosen = options[options.index(kept)] if kept in options else options[0]
        else:
            with self._choices.container(width=width, gap="xxsmall"):
                chosen = uploads.choice(label, place, options, words, width="stretch")
                reason = _OPEN if chosen == UNKNOWN else _SAID if chosen != options[0] else why
                reason = reason if isinstance(reason, str) else reason(chosen)
                if reason:
                    st.caption(literal(reason))
        self._said.append((label, words(chosen)))
        return chosen

    def column(self, label: str, what: str, names: Sequence[str], why: str | Callable[[str], str] = "") -> str:
        """One of the columns, as ``choice``."""
        chosen = self.choice(label, what, names, why)
        self._roles[chosen] = label
        return chosen

    def columns(self, label: str, what: str, names: Sequence[str], usual: Sequence[str]) -> list[str]:
        """Several of the columns; ``usual`` unless somebody says otherwise."""
        place = self.memory(what)
        chosen = [name for name in st.session_state.get(place, usual) if name in names]
        if not self.is_folded:
            with self._choices:
                chosen = st.multiselect(label, names, chosen, key=f"{place}_widget", width=460)
            st.session_state[place] = chosen
        self._said.append((label, ", ".join(chosen)))
        self._roles |= dict.fromkeys(chosen, label)
        return chosen

    def tick(self, label: str, what: str) -> bool:
        """A box to tick; the next file starts without it."""
        place = self.memory(what)
        value = bool(st.session_state.get(place, False))
        if not self.is_folded:
            with self._choices:
                value = st.checkbox(label, value, key=f"{place}_widget", width="content")
            st.session_state[place] = value
        self._said += [(label, "yes")] if value else []
        return value

    def leave_out(self, *columns: AnyColumn, what: str = "") -> bool:
        """Whether rows of a table with a cell that cannot be used are left out; asked only where there are some.

        ``what`` tells one table from another.
        """
        return self.leave_out_rows(unusable_rows(columns), what)

    def leave_out_rows(self, count: int, what: str = "") -> bool:
        """Whether so many rows are left out; asked only where there are some."""
        return count > 0 and self.tick(f"Leave out {count:,} unusable {'row' if count == 1 else 'rows'}", f"drop{what}")

    def confirmed(self, look: Callable[[], UploadLook], question: str = "") -> bool:
        """Draw what came, or the line it folds to; whether it is confirmed as it is now read.

        Args:
            look: a glance at what the choices make of the files; raises TableError where that is nothing.
            question: what is still open.
        """
        key = (*self._marks, *(f"{label}: {value}" for label, value in self._said))
        kept = _kept(self.slot)
        if self.is_folded and kept is not None:
            if kept.key == key:
                self._draw_line(kept)
                return True
            _unfold(self.slot)
            st.rerun()
        with self._head:
            found = self._look(look, key, question)
        words = "Nothing follows from this file yet." if found is None else found.words
        with self._head, st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{literal(words)}**", width="content")
            st.button(
                self._button,
                key=f"{self.slot}_confirm",
                disabled=found is None,
                on_click=_confirm,
                args=(self.slot, _Confirmed(key, words)),
            )
        with self._place:
            self._draw_look(found)
        return found is not None and kept is not None and kept.key == key

    def _look(self, look: Callable[[], UploadLook], key: tuple[str, ...], question: str) -> UploadLook | None:
        """A glance, or None and why there is none."""
        if question:
            st.info(question, icon=":material/help:")
            return None
        try:
            with st.spinner("Looking …", show_time=True):
                return session_cache(uploads.made_of(self.slot, "look"), key, 1, look)
        except TableError as problem:
            uploads.complain(problem)
            return None

    def _draw_look(self, found: UploadLook | None) -> None:
        for note in () if found is None else found.notes:
            st.caption(literal(note))
        rows, picture = st.columns([3, 2], gap="medium")
        with rows:
            _draw_rows(self.tables, self._roles)
        if found is not None and found.histogram is not None:
            with picture:
                chart.draw(group_histograms.figure(found.histogram), group_histograms.described(found.histogram))

    def _draw_line(self, kept: _Confirmed) -> None:
        names = [file.source for file in self.files.values()]
        shown = literal(names[0]) if len(names) == 1 else f"{len(names):,} files"
        if len(names) == 2:
            shown = " and ".join(map(literal, names))
        roles = " · ".join(f"{literal(label)}: {literal(_short(value))}" for label, value in self._said)
        with self._place, st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f":material/check_circle: **{shown}** · {literal(kept.words)} · {roles}", width="content")
            st.button("Change", key=f"{self.slot}_change", on_click=_unfold, args=(self.slot,), type="tertiary")

    def memory(self, what: str) -> str:
        """Where a choice for these very files is remembered."""
        return f"{self.slot}_choice_{what}_{self._digest}"


def _short(value: str) -> str:
    """A list of many columns by its first ones."""
    names = value.split(", ")
    return value if len(names) <= _NAMED else f"{', '.join(names[: _NAMED - 1])} and {len(names) - _NAMED + 1:,} more"


def is_folded(slot: str) -> bool:
    """Whether what was confirmed of the files in ``slot`` is folded to a line."""
    kept = _kept(slot)
    return kept is not None and kept.is_folded


def _kept(slot: str) -> _Confirmed | None:
    kept = st.session_state.get(uploads.made_of(slot, "confirmed"))
    return kept if isinstance(kept, _Confirmed) else None


def _confirm(slot: str, what: _Confirmed) -> None:
    st.session_state[uploads.made_of(slot, "confirmed")] = what


def _unfold(slot: str) -> None:
    kept = _kept(slot)
    if kept is not None:
        _confirm(slot, _Confirmed(kept.key, kept.words, is_folded=False))


def _draw_rows(tables: Sequence[LossTable], roles: Mapping[str, str]) -> None:
    """Draw the first rows of the first of ``tables``; ``roles`` say what a column was taken for.

    Whose rows they are stands there as a number: what is shown goes to the browser as text, which nobody overwrites in
    the server's memory, and names of persons never do.
    """
    table = tables[0]
    every: list[AnyColumn] = [*table.numbers, *table.labels, *table.clusters]
    columns = {column.name: column for column in every}
    names = sorted((name for name in table.layout.names if name in columns), key=lambda name: name not in roles)
    shown = {f"{name} ({roles[name]})" if name in roles else name: _cells(columns[name]) for name in names[:_COLUMNS]}
    downloads.draw_table(shown, width="stretch", height="content", row_height=28)
    left = len(table.layout.names) - len(shown)
    rows = min(_ROWS, table.rows)
    more = f", without {left:,} more {'column' if left == 1 else 'columns'}" if left else ""
    of = "" if len(tables) == 1 else f" of the first of {len(tables):,} files"
    st.caption(f"The first {rows:,} of {how_many(table.rows, 'row')}{of}{more}")


def _cells(column: AnyColumn) -> list[str]:
    if isinstance(column, NumberColumn):
        return [f"{value:.9g}" if np.isfinite(value) else _UNUSABLE for value in column.values[:_ROWS].tolist()]
    codes = column.codes[:_ROWS].tolist()
    if isinstance(column, ClusterColumn):
        return [_UNUSABLE if code == NO_LABEL else f"no. {code + 1:,}" for code in codes]
    return [_UNUSABLE if code == NO_LABEL else column.labels[code] for code in codes]


# Places for files, each of which folds once its preview is confirmed


def of_file(
    slot: str, label: str, reader: Reader = read_table, check: Check | None = None, button: str = "Measure"
) -> Preview | None:
    """Draw the place for a file, unless it is folded; what came there, or None."""
    return of_files({slot: label}, reader, check, button)


def of_files(
    places: Mapping[str, str], reader: Reader = read_table, check: Check | None = None, button: str = "Measure"
) -> Preview | None:
    """Draw the places for files beside each other, by their slots and labels; what came there once all did.

    ``check`` raises TableError for a table that no choice makes usable: such a file leaves the one before.
    """
    slot = next(iter(places))
    if is_folded(slot):
        found = {name: _held(name) for name in places}
    else:
        columns = st.columns(len(places)) if len(places) > 1 else [st.container()]
        found = {}
        for column, (name, label) in zip(columns, places.items(), strict=True):
            with column:
                found[name] = uploads.draw(name, label, reader, check)
    files = {name: file for name, one in found.items() for file in one.values()}
    return Preview(slot, files, button) if len(files) == len(places) else None


def of_many(slot: str, label: str) -> Preview | None:
    """Draw the place for any number of files, unless it is folded; what came there by name, or None."""
    files = _held(slot) if is_folded(slot) else uploads.draw(slot, label, read_table, most=uploads.MOST_FILES)
    return Preview(slot, {name: files[name] for name in sorted(files, key=natural)}) if files else None


def _held(slot: str) -> dict[str, Upload]:
    files = uploads.held(slot)
    address.note_upload(slot, bool(files))
    return files
