"""Scores with a label in every row: of an attack on one model or several, of canaries of one run, or of many runs."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from losses import row_questions
from losses.dependence import few_valued, of_long_rows, refuse_shared, refuse_together, unseen
from losses.errors import TableError, listed, option, quoted
from losses.long_form import MODEL, LongForm, long_form
from losses.names import is_told_by_slicing, small_means_in
from losses.roles import ColumnRoles, LongRows, copied_rows, rows_counted_once, rows_of
from losses.table import LossTable
from losses.training_labels import Membership, training_label
from numerics.audits import ApproximateClaim, Claim, Scores, claim_verdict
from numerics.audits.one_run import Canaries, audit
from numerics.audits.one_run.design import DELTA
from numerics.sampling import Adjacency
from reports import attack_scores, parts, promise_slices, promises, python_code
from reports.attack_scores import SCORES_IN_PYTHON
from reports.audit_report import AuditReport, Data, ReportFigure, notes_on_scores
from reports.command import provenance, reading
from reports.command.arguments import CANARIES, RUNS, SCORES, claim_of
from reports.command.tables import refuse_curves
from reports.parts import MODELS, SLICES, ComparedParts

_HOLDS = {CANARIES: promises.CANARIES_CONFIRMED, RUNS: promises.RUNS_CONFIRMED}
"""What somebody has to confirm before a promise is tested."""
Say = Callable[[str], object]


@dataclass(frozen=True, eq=False)
class Read:
    """A file's rows, and what was done to read them; its Python makes ``values`` and ``is_in``."""

    rows: LongRows
    data: Data


def report(chosen: argparse.Namespace, code: str, progress: Say) -> AuditReport:
    """The report; ``code`` is the command line. Raises TableError, and ValueError for settings that do not fit."""
    if chosen.evidence != SCORES:
        if chosen.claim is None and chosen.evidence == RUNS:
            raise ValueError("--claim must be given with --evidence runs: what was promised.")
        if not chosen.confirm:
            raise ValueError(f"no verdict without --confirm, that all of this holds: {_HOLDS[chosen.evidence]}")
        _promise(chosen)
    progress("reading the scores")
    if len(chosen.sources) > 1:
        return _of_files(chosen, code, progress)
    found = _read(chosen, chosen.sources[0], progress)
    progress("testing the promise" if chosen.claim else "measuring")
    return {CANARIES: _of_canaries, RUNS: _of_runs, SCORES: _of_scores}[chosen.evidence](chosen, found)


def _promise(chosen: argparse.Namespace) -> Claim | None:
    """What was promised; None of canaries that nothing is tested by. Raises ValueError."""
    if chosen.claim is None:
        return None
    claim = claim_of(chosen.claim)
    if isinstance(claim, ApproximateClaim) and chosen.delta is not None:
        raise ValueError("--delta must not be given with a promise that has its own.")
    return claim


def _of_canaries(chosen: argparse.Namespace, read: Read) -> AuditReport:
    """The report; without a promise what canaries prove of epsilon is that a smaller one is refuted."""
    claim, delta = _promise(chosen), DELTA if chosen.delta is None else chosen.delta
    adjacency = (claim and claim.adjacency) or Adjacency.ADD_REMOVE
    if chosen.left_out is not None:
        adjacency = Adjacency.REPLACE_ONE if chosen.left_out == "replaced" else Adjacency.ADD_REMOVE
    guesses = Canaries(read.rows.values, read.rows.is_in, adjacency).guesses()
    found = audit(guesses, claim or ApproximateClaim(0.0, delta), chosen.level, delta=delta)
    made = promises.report_of_canaries(guesses, claim, found, _with(read.data, promises.guesses_in_python(adjacency)))
    if (column := read.rows.slices) is not None:
        slices = promise_slices.of_canaries(read.rows, column, claim, chosen.level, adjacency, delta)
        made = slices.added_to(made)
    return _drawn(made, chosen, lambda figures: [figures.of_canaries(guesses, found)])


def _of_runs(chosen: argparse.Namespace, read: Read) -> AuditReport:
    scores, claim = read.rows.scores, claim_of(chosen.claim)
    verdict = claim_verdict(scores, claim, chosen.level)
    made = promises.report_of_runs(verdict, read.data)
    if (column := read.rows.slices) is not None:
        made = promise_slices.of_runs(read.rows, column, claim, chosen.level).added_to(made)
    return _drawn(made, chosen, lambda figures: [figures.of_runs(figures.measured(scores, chosen.level), verdict)])


def _of_scores(chosen: argparse.Namespace, found: Read) -> AuditReport:
    rows, level = found.rows, chosen.level
    if rows.models is not None and chosen.model is None:
        kind = parts.kind_of([rows.models.name])
        data = _with(found.data, parts.in_python(kind, MODELS, level))
        return _of_models(chosen, parts.of_column(rows, rows.models, kind), data)
    shown = attack_scores.measured(rows.scores, level)
    together = [] if rows.slices is None else [parts.compared(parts.of_column(rows, rows.slices, SLICES), level)]
    made = attack_scores.report(shown, _with(found.data, SCORES_IN_PYTHON), together)

    def drawn(figures: Any) -> list[Any]:
        return [figures.of_scores(figures.measured(rows.scores, level), shown), *map(figures.of_parts, together)]

    return _drawn(made, chosen, drawn)


def _of_files(chosen: argparse.Namespace, code: str, progress: Say) -> AuditReport:
    """Of a model in each file."""
    names = provenance.names_of(chosen.sources)
    every = dict[str, Read]()
    for name, source in zip(names, chosen.sources, strict=True):
        try:
            every[name] = _read(chosen, source, progress)
        except TableError as refusal:
            raise ValueError(f"{name}: {refusal}") from None

    def scores() -> list[Scores]:
        return [one.rows.scores for one in every.values()]

    files = provenance.files(chosen, chosen.sources, progress)
    notes = tuple(f"{quoted(name)}: {note}" for name, one in every.items() for note in one.data.notes)
    return _of_models(
        chosen, ComparedParts((), MODELS, names, scores), Data(f"{len(files):,} files", files, code, notes)
    )


def _of_models(chosen: argparse.Namespace, every: ComparedParts, data: Data) -> AuditReport:
    found = parts.compared(every, chosen.level)
    made = attack_scores.report_of_models(found, data)
    return _drawn(made, chosen, lambda figures: [figures.of_parts(found)])


def _with(data: Data, further: str) -> Data:
    return replace(data, python=f"{data.python}\n{further}")


def _drawn(made: AuditReport, chosen: argparse.Namespace, draw: Callable[[Any], list[Any]]) -> AuditReport:
    """The report with the figures that ``draw`` makes by the module that has them, loaded where one is written."""
    if chosen.report is None:
        return made
    pictures: list[ReportFigure] = [one.picture for one in draw(import_module("reports.figures")) if one is not None]
    return replace(made, pictures=tuple(pictures))


# Files are read as the page reads them; what is not clear is refused.


def _read(chosen: argparse.Namespace, source: str, progress: Say) -> Read:
    """The rows of a file, of the model that was chosen if one was; raises TableError."""
    table = reading.read_whole(chosen, source)
    names = [*reading.named_files(source)] if chosen.engine is None else [f"{source}.csv"]
    said = [*table.layout.notes, *refuse_curves(table, chosen)]
    read = python_code.opened_together("read_scores", names)
    form = long_form(table, *read) if chosen.loss is None else LongForm(table, *read)
    name = form.value or _score(table, chosen.loss)
    membership = _membership(form, chosen)
    models = () if chosen.model_column is None else (chosen.model_column,)
    roles = ColumnRoles(name, membership.column, membership.member, chosen.cluster, models, chosen.slice)
    _check(form.table, roles, chosen.independent)
    negate = small_means_in(name) if chosen.suspect is None else chosen.suspect == "small"
    rows = rows_of(form.table, roles, chosen.drop, negate)
    if chosen.evidence == SCORES:
        rows = _counted(rows, chosen.rows)
        shared = of_long_rows(rows, roles, chosen.independent)
        refuse_shared(shared)
        said += [f"Mind: {doubt}" for doubt in (*(one.doubt for one in shared), *unseen(form.table.unread))]
    notes = [
        *filter(None, [chosen.told, form.words]),
        *said,
        *notes_on_scores(membership, negate, rows.dropped),
        *rows.notes,
    ]
    if len(table.numbers) > 1 and not form.words:
        notes.insert(0, f"Scores are in column {quoted(name)}.")
    notes += [f"Rows that share {quoted(one)} count as independent, as was said." for one in chosen.independent]
    python = python_code.rows(form.python, form.imports, roles, f"drop={chosen.drop}, negate={negate}")
    if chosen.engine is not None:
        python = f"# {names[0]!r} is the engine's table, saved as a file.\n{python}"
    if chosen.model is not None:
        told = rows.models
        assert told is not None
        if chosen.model not in told.labels:
            there = f"There are {listed(list(told.labels), 20)}."
            raise TableError(f"Column {quoted(told.name)} has no {quoted(chosen.model)}.", there)
        rows = rows.of_model(chosen.model)
        notes.append(f"Rows with {quoted(chosen.model)} in {quoted(chosen.model_column)}.")
        python += f"\nrows = rows.of_model({chosen.model!r})\nvalues, is_in = rows.values, rows.is_in"
    return Read(rows, Data(Path(source).name, provenance.files(chosen, [source], progress), python, tuple(notes)))


def _score(table: LossTable, said: str | None) -> str:
    """The column of scores: that which was named, the only one, or the only one that is called so."""
    names = [column.name for column in table.numbers]
    if said is not None and said not in names:
        raise TableError(f"There is no column of numbers {quoted(said)}.", f"There are {listed(names, 20)}.")
    found = said or row_questions.clear_scores(names)
    if found is None:
        raise row_questions.refuse_several(names, "score")
    return found


def _membership(form: LongForm, chosen: argparse.Namespace) -> Membership:
    if form.membership is not None and chosen.membership is None:
        return form.membership
    names = [column.name for column in form.table.labels]
    if chosen.membership is not None and chosen.membership not in names:
        what = f"There is no column of labels {quoted(chosen.membership)}."
        raise TableError(what, f"There are {listed(names, 20)}." if names else "The file has none.")
    column = chosen.membership or next((name for name in names if name != MODEL), "")
    if not column:
        raise TableError("There is no column that says what was in.", "Name it with --membership.")
    labels = list(form.table.label(column).labels)
    if chosen.member is not None and chosen.member not in labels:
        raise TableError(f"No row has the label {quoted(chosen.member)}.", f"The labels are {listed(labels)}.")
    found = training_label(column, labels, chosen.member)
    if found is None:
        how = f"Say it: {option('membership', column, 'LABEL')}."
        raise TableError(f"It is not clear which label of {quoted(column)} means in.", how)
    return found


def _check(table: LossTable, roles: ColumnRoles, independent: Sequence[str]) -> None:
    """Raise TableError for a column that is not there, and for rows that belong together of which nothing was said."""
    names = [column.name for column in table.columns]
    said = [*roles.models, *independent, *([] if roles.person is None else [roles.person])]
    for name in (*said, *([] if roles.slice is None else [roles.slice])):
        if name not in names:
            raise TableError(f"There is no column {quoted(name)}.", f"There are {listed(names, 20)}.")
    sliced = [roles.slice] if roles.slice is not None and is_told_by_slicing(roles.slice) else []
    taken = {roles.value, roles.group, *said, *sliced}
    refuse_together({name: count for name, count in few_valued(table) if name not in taken})


def _counted(rows: LongRows, said: str | None) -> LongRows:
    """The rows, copies once where it was said that equal ones are copies; raises TableError until it is said."""
    copied = " ".join(copied_rows(rows)[:2])
    if copied and said is None:
        raise TableError(copied, f"Say what such rows are: {row_questions.ROWS}")
    if copied and said == "people":
        return replace(rows, notes=(*rows.notes, f"{copied} Each row is {row_questions.PEOPLE}, as was said."))
    return rows_counted_once(rows) if copied else rows
