"""What was dropped is read at once, and said: first rows, what each column was taken for, a histogram, every choice.

Nothing follows from a file while something is open that nobody but the visitor knows: that is asked first.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from losses import LossTable, TableError
from losses.isolation.worker import Reader
from losses.layout import NOTHING
from losses.table import NO_LABEL, AnyColumn, ClusterColumn, NumberColumn, unusable_rows
from numerics.trade_off import Floats
from pages.server.shared_cache import session_cache
from pages.ui import chart, downloads, uploads
from pages.ui.file_answers import FileAnswers, digest_of
from pages.ui.plain_text import literal
from pages.ui.uploads import Upload
from plotting import group_histograms
from plotting.group_histograms import GroupHistogram
from reports.rounding import how_many

UNKNOWN = "choose …"
MEMBERS = ("training data", "fresh data")
_SAID = "as you said"
_YES = "yes"
_OF_OTHERS = "This link has answers about a file with another SHA-256: they were not applied."
_OPEN = "please say it"
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


def look_at(
    groups: Mapping[str, Floats], left_out: int, axis: str, notes: Sequence[str] = (), told: str = ""
) -> UploadLook:
    """A glance at the numbers of each group; with two of them, who was in comes first, and what told them."""
    first, *others = (f"{len(values):,} {name}" for name, values in groups.items())
    counts = ", ".join((f"{first} ({told})" if told else first, *others))
    rows = "no row" if not left_out else "1 row" if left_out == 1 else f"{left_out:,} rows"
    histogram = group_histograms.counted(groups, axis)
    return UploadLook(f"{counts}; {rows} left out", tuple(notes), histogram)


def refusing(problem: TableError) -> Callable[[], UploadLook]:
    """A glance at what cannot be read as it was chosen."""

    def look() -> UploadLook:
        raise problem

    return look


def nothing() -> UploadLook:
    """What there is to see while a question is open."""
    return UploadLook("")


class Preview:
    """Files that came, how they are read, and what has to be said first.

    A line says what they were read as, and beside it all choices can be corrected. What nobody but the visitor knows is
    asked below the line, until it is said.
    """

    def __init__(
        self, slot: str, files: Mapping[str, Upload], row: DeltaGenerator | None = None, *, is_pasted: bool = False
    ) -> None:
        """``files`` by their names, in a ``row`` that is there or in one of its own; ``slot`` tells it from others."""
        self.slot, self.files = slot, files
        digest = digest_of(file.digest for file in files.values())
        self._digest, self._answers = digest[:16], FileAnswers(slot, digest)
        self._answers.note_layout(next(iter(files.values())).known if len(files) == 1 else NOTHING)
        self._roles: dict[str, str] = {}
        self._said: list[tuple[str, str]] = []
        with row or st.container(horizontal=True, vertical_alignment="center", gap="small"):
            self._line = st.container(width="content")
            self._fold = st.popover("Not so?", type="tertiary", key=f"{slot}_fold", on_change="rerun")
            if not is_pasted:  # that goes with its text
                uploads.draw_remove(slot)
        self._below = st.container(gap="xsmall")
        self._asked = st.container(horizontal=True, vertical_alignment="top")

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
        for option in options:
            if self._answers.of(what, [words(option)]):
                st.session_state.setdefault(place, option)  # a link's answer, unless the visitor has given one
        is_open = options[0] == UNKNOWN and st.session_state.get(place) not in options[1:]
        with (self._asked if is_open else self._fold).container(width=width, gap="xxsmall"):
            chosen = uploads.choice(label, place, options, words, width="stretch")
            reason = _OPEN if chosen == UNKNOWN else _SAID if chosen != options[0] else why
            reason = reason if isinstance(reason, str) else reason(chosen)
            if reason:
                st.caption(literal(reason))
        self._said.append((label, words(chosen)))
        if chosen != options[0]:
            self._answers.note(what, [words(chosen)])
        return chosen

    def column(self, label: str, what: str, names: Sequence[str], why: str | Callable[[str], str] = "") -> str:
        """One of the columns, as ``choice``."""
        chosen = self.choice(label, what, names, why)
        self._roles[chosen] = label
        return chosen

    def columns(self, label: str, what: str, names: Sequence[str], usual: Sequence[str]) -> list[str]:
        """Several of the columns; ``usual`` unless somebody says otherwise."""
        place = self.memory(what)
        kept = st.session_state.setdefault(place, self._answers.of(what, names) or list(usual))
        st.session_state[place] = [name for name in kept if name in names]
        with self._fold:
            chosen = st.multiselect(label, names, key=place, persist_state="session", width=460)
        self._said.append((label, ", ".join(chosen)))
        if chosen != list(usual):
            self._answers.note(what, chosen)
        self._roles |= dict.fromkeys(chosen, label)
        return chosen

    def tick(self, label: str, what: str) -> bool:
        """A box to tick; the next file starts without it."""
        place = self.memory(what)
        is_ticked = st.session_state.setdefault(place, bool(self._answers.of(what, [_YES])))
        with self._fold if is_ticked else self._asked:
            value = st.checkbox(label, key=place, persist_state="session", width="content")
        if value:
            self._said.append((label, _YES))
            self._answers.note(what, [_YES])
        return value

    def leave_out(self, *columns: AnyColumn, what: str = "") -> bool:
        """Whether rows of a table with a cell that cannot be used are left out; asked only where there are some.

        ``what`` tells one table from another.
        """
        return self.leave_out_rows(unusable_rows(columns), what)

    def leave_out_rows(self, count: int, what: str = "") -> bool:
        """Whether so many rows are left out; asked only where there are some."""
        return count > 0 and self.tick(f"Leave out {count:,} unusable {'row' if count == 1 else 'rows'}", f"drop{what}")

    def read_as(self, look: Callable[[], UploadLook], question: str = "") -> bool:
        """Draw what the files are read as; whether nothing is open.

        Args:
            look: a glance at what the choices make of the files; raises TableError where that is nothing.
            question: what is still open, as Markdown.
        """
        key = (*(file.key for file in self.files.values()), *(f"{label}: {value}" for label, value in self._said))
        found = None
        with self._below:
            if question:
                st.info(question, icon=":material/help:")
            else:
                found = self._look(look, key)
            if self._answers.is_of_others:
                st.caption(_OF_OTHERS)
            for note in () if found is None else found.notes:
                st.caption(literal(note))
        with self._line:
            st.markdown(f"**{self._name}**" + (f": {literal(found.words)}." if found else ""), width="content")
        with self._fold:
            if self._fold.open:
                self._draw_look(found)
            uploads.draw_layout(self.slot)
        return found is not None

    @property
    def _name(self) -> str:
        """What the files are called, and whether a newer one could not be used."""
        older = any(file.is_older for file in self.files.values())
        mark = ":material/history: Results are of what was read before, " if older else ""
        names = [literal(file.shown) for file in self.files.values()]
        return mark + (" and ".join(names) if len(names) <= 2 else f"{len(names):,} files")

    def _look(self, look: Callable[[], UploadLook], key: tuple[str, ...]) -> UploadLook | None:
        """A glance, or None where there is none, and why."""
        try:
            with st.spinner("Looking …", show_time=True):
                return session_cache(uploads.made_of(self.slot, "look"), key, 1, look)
        except TableError as problem:
            uploads.complain(problem)
            return None

    def _draw_look(self, found: UploadLook | None) -> None:
        _draw_rows(self.tables, self._roles)
        if found is not None and found.histogram is not None:
            chart.draw(group_histograms.figure(found.histogram), group_histograms.described(found.histogram))

    def memory(self, what: str) -> str:
        """Where a choice for these very files is remembered."""
        return f"{self.slot}_choice_{what}_{self._digest}"


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


def of_file(slot: str, label: str, reader: Reader) -> Preview | None:
    """Draw the place for a file; what came there, or None."""
    files = uploads.draw(slot, label, reader)
    uploads.draw_refused(slot)
    return Preview(slot, files) if files else None
