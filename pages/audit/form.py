"""What is asked of a table before any number means anything: what rows and numbers are, and which rows belong together.

Each question is asked only where neither names nor cells answer it, and each answer can be corrected; what was said
against a name, and what stays in doubt, goes wherever the numbers go.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from losses import ColumnRoles, LossTable, Membership, TableError, row_questions, training_label
from losses.dependence import SharedColumn, few_valued, of_table, unseen
from losses.errors import listed, quoted
from losses.instances import MOST_INSTANCES
from losses.names import names_clusters, names_models, names_persons, names_records, names_slices
from losses.recognise_columns import why_number
from losses.table import AnyColumn
from pages.server.shared_cache import session_cache
from pages.ui.plain_text import literal
from pages.ui.upload_preview import UNKNOWN, Preview, UploadLook, nothing

NOBODY = "no column: each row is another person"
ONE_MODEL = "no column: all rows are one model's"
NO_SLICES, NO_RECORDS = "none", "no column"
MOST_SLICES = 200
_NAMED = "its name says so"
_OPEN = "Say which rows belong together: rows of one person, or of several models, are no independent evidence."
_MOST_KEPT = 12
_WIDE = 320


class Form:
    """The questions about one drop of files, in the order they are asked.

    Attributes:
        preview: draws them.
        said: what was said against a column's name or cells, a sentence each.
        doubts: what columns leave in doubt of which nothing was said.
        open: what is asked and not answered yet.
    """

    def __init__(self, preview: Preview) -> None:
        self.preview = preview
        self.said: list[str] = []
        self.doubts: list[str] = []
        self.open: list[str] = []

    def _said_against(self, names: Iterable[str]) -> None:
        self.said += [f"Rows that share {quoted(name)} count as independent, as was said." for name in names]

    def rows_are_people(self, table: LossTable, check: Callable[[], object]) -> bool:
        """Whether rows are people; where columns say something else, draw the question.

        ``check`` raises TableError for a table of people that cannot be used all the same; so does this for no people.
        """
        if not (why := row_questions.curves(table)):
            return True
        options = [UNKNOWN, row_questions.PEOPLE, row_questions.STEPS]
        chosen = self.preview.choice("Each row is", "rows", options, width=_WIDE)
        if chosen == UNKNOWN:
            self.preview.read_as(nothing, literal(why))
            return False
        if chosen == row_questions.STEPS:
            raise TableError(*row_questions.NO_PEOPLE)
        check()
        self.said.append(f"{why} Each row is {row_questions.PEOPLE}, as was said.")
        return True

    def column_of_numbers(self, table: LossTable, kind: str, label: str) -> str:
        """Draw the choice of the column that holds the numbers, "loss" or "score"; UNKNOWN while nothing tells it."""
        names = [one.name for one in table.numbers]
        clear = row_questions.clear_losses(table.numbers) if kind == "loss" else row_questions.clear_scores(names)
        ordered = [UNKNOWN, *names] if clear is None else [clear, *(name for name in names if name != clear)]
        chosen = self.preview.column(label, "number", ordered, lambda name: why_number(name, names, kind))
        words = row_questions.NUMBERS[kind]
        if chosen == UNKNOWN:
            holds = "Say which holds the losses." if kind == "loss" else "Say which."
            self.open.append(f"{row_questions.refuse_several(names, kind).what} {holds}")
        elif clear is None:
            self.said.append(f"Of {listed(names)}, the {words} of {quoted(chosen)} are looked at, as was said.")
        return chosen

    def membership(self, table: LossTable, label: str, members: str) -> Membership | None:
        """Draw the choice of the membership; None until it is made."""
        names = [column.name for column in table.labels]
        column = self.preview.column(
            label, "membership", names if table.is_membership_clear else [UNKNOWN, *names], "its name or labels say so"
        )
        if column == UNKNOWN:
            return None
        labels = list(table.label(column).labels)
        guess = training_label(column, labels)
        if guess is None:
            ordered = labels if len(labels) != 2 else [UNKNOWN, *labels]
        else:
            ordered = [guess.member, *(one for one in labels if one != guess.member)]
        why = guess.why if guess else "the first of them"
        member = self.preview.choice(members, f"member_{column}", ordered, why)
        return None if member == UNKNOWN else training_label(column, labels, member)

    def roles(self, table: LossTable, value: str, found: Membership | None) -> ColumnRoles:
        """Draw what the columns of a long table are taken for; ``found`` says who is in, None while that is open."""
        group, member = ("", "") if found is None else (found.column, found.member)
        told = self._models(table, (value, group))
        columns = () if isinstance(told, str) else told
        roles = ColumnRoles(value, group, member, None, columns)
        is_asked = found is not None and UNKNOWN not in (told, value)
        person = self._person(table, roles, is_asked)
        taken = (value, group, person or "", *columns)
        record = self._record(table, taken) if columns else None
        return replace(roles, person=person, slice=self._slices(table, (*taken, record or "")), record=record)

    def _shared(self, table: LossTable, roles: ColumnRoles, is_asked: bool) -> list[SharedColumn]:
        """The columns whose values repeat within one group; none where they cannot be read so, as is said elsewhere."""

        def or_none() -> list[SharedColumn]:
            try:
                return of_table(table, roles)
            except TableError:
                return []

        return session_cache("audit.shared_columns", self._key(table, roles), _MOST_KEPT, or_none) if is_asked else []

    def _key(self, table: LossTable, *asked: object) -> tuple[str, ...]:
        files, columns = (file.key for file in self.preview.files.values()), [one.name for one in table.columns]
        return (*files, str(columns), str(table.rows), *map(str, asked))

    def _person(self, table: LossTable, roles: ColumnRoles, is_asked: bool) -> str | None:
        """Draw the choice of the column that says whose a row is, where names or values may say it; None for none."""
        self.doubts += unseen(table.unread)
        taken = (roles.value, roles.group, *roles.models)
        columns = {one.name: one for one in self._shared(table, roles, is_asked)}
        named = [one.name for one in table.clusters if names_clusters(one.name) and one.name not in taken]
        named.sort(key=lambda name: not names_persons(name))
        alike = [one.name for one in columns.values() if one.is_alike and one.name not in named]
        rest = [name for name in columns if name not in (*named, *alike)]
        asked = [*named, *alike]
        if not asked and not rest:
            return None
        is_told = bool(named) and names_persons(named[0])
        options = [*([] if is_told else [UNKNOWN]), *asked, NOBODY, *rest] if asked else [NOBODY, *rest]
        why = _NAMED if is_told else "" if asked else "values that repeat may name people: check it"
        chosen = self.preview.choice("Rows of one person share", "person", options, why, width=_WIDE)
        if chosen == UNKNOWN:
            self.open += [*(columns[name].question for name in alike), _OPEN]
            return None
        if chosen == NOBODY:
            self._said_against(asked)
            self.doubts += [columns[name].doubt for name in rest]
            return None
        for one in self._shared(table, replace(roles, person=chosen), is_asked):
            if not one.is_alike:
                self.doubts.append(one.doubt)
                continue
            said = self.preview.choice(
                f"Rows that share {one.name}", f"independent_{one.name}", [UNKNOWN, NOBODY], width=_WIDE
            )
            if said == NOBODY:
                self._said_against([one.name])
            else:
                self.open += [one.question, _OPEN]
        return chosen

    def _models(self, table: LossTable, taken: Sequence[str]) -> tuple[str, ...] | str:
        """Draw the choice of the columns that tell several models, epochs or folds, where some may; or UNKNOWN."""
        persons = [one.name for one in table.clusters if names_clusters(one.name)]
        counts = {
            name: count for name, count in self._few_valued(table) if name not in (*taken, *persons, table.answers)
        }
        told = [name for name in counts if names_models(name)]
        named = [name for name in told if counts[name] <= MOST_INSTANCES]
        others = [(name,) for name in counts if name not in told and counts[name] <= MOST_INSTANCES]
        every = [part for size in range(min(len(named), 3), 0, -1) for part in combinations(named, size)]
        one: tuple[str, ...] = ()
        options: list[tuple[str, ...] | str] = [*every, one, *others] if named else [one, *others]
        if told and not named:
            options = [UNKNOWN, *others, one]
        if len(options) == 1:
            return one
        why = "named so" if named else "no column is named so"
        chosen = self.preview.choice("Rows of one model share", "model", options, why, _words, width=_WIDE)
        if chosen == UNKNOWN:
            self.open.append(_OPEN)
        else:
            self._said_against(name for name in told if name not in chosen)
        return chosen

    def of_one_model(self, table: LossTable, value: str, found: Membership | None) -> ColumnRoles:
        """The roles of a table whose rows are one model's; where columns say something else, draw the question."""
        group, member = ("", "") if found is None else (found.column, found.member)
        names = [name for name, _ in self._few_valued(table) if names_models(name) and name not in (value, group)]
        if names:
            chosen = self.preview.choice(f"Rows differ in {names[0]}", "one_model", [UNKNOWN, ONE_MODEL], width=_WIDE)
            if chosen == ONE_MODEL:
                self._said_against(names)
            else:
                self.open.append(_OPEN)
        return ColumnRoles(value, group, member, slice=self._slices(table, (value, group)))

    def _slices(self, table: LossTable, taken: Sequence[str]) -> str | None:
        """Draw the choice of the column whose slices are looked at, where one has few different cells."""
        names = [name for name, count in self._few_valued(table) if name not in taken and count <= MOST_SLICES]
        names.sort(key=lambda name: not names_slices(name))
        if not names:
            return None
        why = "a look at slices is chosen before the answer"
        chosen = self.preview.choice("Slices", "slices", [NO_SLICES, *names], why)
        return None if chosen == NO_SLICES else chosen

    def _record(self, table: LossTable, taken: Sequence[str]) -> str | None:
        """Draw the choice of the column that names the records that several models have, where one may."""
        every: list[AnyColumn] = [*table.clusters, *table.labels, *table.numbers]
        names = [one.name for one in every if names_records(one.name) and one.name not in taken]
        if not names:
            return None
        chosen = self.preview.choice("Rows of one record share", "record", [*names, NO_RECORDS], _NAMED)
        return None if chosen == NO_RECORDS else chosen

    def _few_valued(self, table: LossTable) -> list[tuple[str, int]]:
        """Columns whose rows may belong together by them, with how many different cells each has."""
        key = self._key(table)
        return session_cache("audit.columns_of_models", key, _MOST_KEPT, lambda: list(few_valued(table)))

    def leave_out(self, table: LossTable, roles: ColumnRoles) -> bool:
        """Draw whether rows are left out that lack a cell in the columns that are read; if there are some."""
        names = (roles.value, roles.group, roles.person, *roles.models)
        return self.preview.leave_out(*(table.column(name) for name in names if name and name != UNKNOWN))

    def copies(self, key: tuple[str, ...], found: Callable[[], Sequence[str]]) -> str:
        """Draw what rows with equal numbers are: copies or people; "" where none are noticed, UNKNOWN until it is said.

        ``found`` gives why rows may be copies; where it raises TableError, that is said elsewhere.
        """

        def noticed() -> tuple[str, ...]:
            try:
                return tuple(dict.fromkeys(found()))
            except TableError:
                return ()

        why = " ".join(session_cache("audit.copied_rows", key, _MOST_KEPT, noticed))
        if not why:
            return ""
        options = [UNKNOWN, row_questions.COPIES, row_questions.PEOPLE]
        chosen = self.preview.choice("Rows with equal numbers are", "copies", options, width=_WIDE)
        if chosen == UNKNOWN:
            self.open.append(why)
        return chosen

    def is_settled(self, look: Callable[[], UploadLook]) -> bool:
        """Draw what is open, or what the files are read as; whether nothing is open."""
        return self.preview.read_as(look, literal(" ".join(dict.fromkeys(self.open))))


def _words(columns: tuple[str, ...] | str) -> str:
    return columns if isinstance(columns, str) else " and ".join(columns) or ONE_MODEL
