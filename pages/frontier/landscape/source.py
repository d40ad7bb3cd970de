"""Where a sweep comes from: one that is shipped, a file, or pasted text; and how its columns are read."""

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from losses import LossTable, SweepRoles, guess_roles, read_sweep, sweep
from losses.errors import counted
from losses.sweeps.roles import codes_of, why_role
from losses.sweeps.samples import SWEEPS, SweepSample
from numerics.pareto import Better
from pages.frontier.landscape import pasted_table
from pages.server.shared_cache import session_cache
from pages.ui import upload_preview, uploads
from pages.ui.plain_text import literal
from pages.ui.upload_preview import Preview, UploadLook, look_at
from pages.ui.uploads import imports, opened

A_FILE, PASTED = "a file", "pasted text"
KEYS = ("frontier.land_from", "frontier.land_text", "frontier.land_colours")
_SLOT = "frontier.land"
_NONE, _ALL = "– none –", "– all rows –"
_TOGETHER = "– what is alike in the hyperparameters –"
_EACH = "– every row –"
_NO_COLUMN = (_NONE, _TOGETHER, _EACH)
_USE = "Use it"
_LEVELS, _RUNS = "are levels, kept apart", "are runs, averaged"
_LABEL = "A sweep: a row for every run, with its strategy, utility and privacy"
_SAID = (
    "The columns may be in any order and have any name; hyperparameters may be among them. What you give stays in this "
    "session and is not stored."
)
_EXAMPLE = "strategy,run,accuracy,epsilon_star\nbaseline,1,0.86,2.4\nbaseline,2,0.85,2.6\nDP-SGD,1,0.71,0.4"


@dataclass(frozen=True, eq=False)
class SweepSource:
    """A sweep's table and how it is read.

    Attributes:
        key: tells the table from all else.
        drop: whether unusable rows are left out.
        colours: the column whose cells are the colours; None for one colour.
        python: the expression that reads the table, and what it imports besides.
        about: what is told about it, in Markdown.
        slot: where a visitor's own table is held; None for a shipped one.
    """

    key: str
    name: str
    table: LossTable
    roles: SweepRoles
    drop: bool
    colours: str | None
    python: tuple[str, tuple[str, ...]]
    about: str
    slot: str | None = None


def draw(subject: DeltaGenerator, given: DeltaGenerator, colours: DeltaGenerator) -> SweepSource | None:
    """Draw which sweep is weighed, where a visitor gives one, and its colours; None while there is no table."""
    names = [sample.name for sample in SWEEPS]
    with subject:
        chosen = st.selectbox(
            "Sweep", [*names, A_FILE, PASTED], key=KEYS[0], bind="query-params", width=260, label_visibility="collapsed"
        )
    with given:
        if chosen in names:
            return _shipped(SWEEPS[names.index(chosen)], colours)
        slot = f"{_SLOT}_file" if chosen == A_FILE else f"{_SLOT}_pasted"
        if chosen == A_FILE:
            preview = upload_preview.of_file(slot, _LABEL, read_sweep, button=_USE)
        else:
            upload = pasted_table.draw(slot, _LABEL, KEYS[1], read_sweep, _EXAMPLE)
            preview = None if upload is None else Preview(slot, {slot: upload}, _USE)
        if preview is None:
            st.caption(_SAID)
            return None
        return _given(preview, colours)


def _shipped(sample: SweepSample, place: DeltaGenerator) -> SweepSource:
    table = session_cache("frontier.land_shipped", sample.file, 2, sample.table)
    python = f"read_sweep(open('data/{sample.file}', 'rb').read())", ()
    words = f"{literal(sample.description)} {_read_as(sample.roles)}"
    options = _colour_options(table, sample.roles)
    chosen = place.selectbox("Colours", options, key=KEYS[2], bind="query-params", width=130)
    colours = None if chosen == _NONE else chosen
    return SweepSource(sample.file, sample.name, table, sample.roles, False, colours, python, words)


def _given(preview: Preview, place: DeltaGenerator) -> SweepSource | None:
    """Draw which column is what, and in ``place`` which is the colour; None until that is confirmed."""
    ((slot, upload),) = preview.files.items()
    table = upload.table
    guessed: SweepRoles = uploads.made(slot, "roles", upload.key, lambda: guess_roles(table))
    roles = _strategies(preview, table, _goals(preview, table, guessed))
    roles = replace(roles, only=_only(preview, table))
    drop = preview.leave_out(table.number(roles.utility), table.number(roles.privacy))
    if not preview.confirmed(lambda: _look(table, roles, drop)):
        return None
    with place:
        place_of = preview.memory("colours")
        chosen = uploads.choice("Colours", place_of, _colour_options(table, roles), width=130)
    colours = None if chosen == _NONE else chosen
    python = opened("read_sweep", upload), imports(upload)
    return SweepSource(upload.key, upload.source, table, roles, drop, colours, python, _read_as(roles), slot)


def _look(table: LossTable, roles: SweepRoles, drop: bool) -> UploadLook:
    found = sweep(table, roles, drop)
    runs = int(found.runs.sum())
    values = table.number(roles.privacy).values
    seen = look_at({"runs": values[np.isfinite(values)]}, found.dropped, roles.privacy)
    rest = seen.words.partition("; ")[2]
    return replace(seen, words=f"{counted(len(found), 'setting')} in {counted(runs, 'row')}; {rest}")


def _colour_options(table: LossTable, roles: SweepRoles) -> list[str]:
    """Every column that tells strategies apart or says something of them; the one with their names first."""
    first = [name for name in (roles.strategy, *roles.hyperparameters) if name is not None]
    taken = {roles.run, roles.spread, *first}
    return [*first, _NONE, *(name for name in _readable(table) if name not in taken)]


def _first(name: str | None, others: list[str]) -> list[str]:
    """Options with the likeliest one in front."""
    return others if name is None else [name, *(other for other in others if other != name)]


def _goals(preview: Preview, table: LossTable, guessed: SweepRoles) -> SweepRoles:
    """Draw which columns are the goals, and which end of each is wanted."""
    numbers = [column.name for column in table.numbers]
    utility = _column(preview, "Utility", "utility", _first(guessed.utility, numbers))
    higher = _better(preview, "Utility:", f"utility_{utility}", guessed.utility_better)
    privacy = _column(preview, "Privacy", "privacy", _first(guessed.privacy, numbers))
    lower = _better(preview, "Privacy:", f"privacy_{privacy}", guessed.privacy_better)
    spread = _column(preview, "± of the utility", "spread", _first(guessed.spread or _NONE, [_NONE, *numbers]))
    return replace(
        guessed,
        utility=utility,
        privacy=privacy,
        utility_better=higher,
        privacy_better=lower,
        spread=None if spread == _NONE else spread,
    )


def _column(preview: Preview, label: str, role: str, names: list[str]) -> str:
    return preview.column(label, role, names, lambda name: "" if name in _NO_COLUMN else why_role(role, name))


def _better(preview: Preview, label: str, what: str, guessed: Better) -> Better:
    return Better(
        preview.choice(label, what, _first(guessed.value, [better.value for better in Better]), "by its name")
    )


def _strategies(preview: Preview, table: LossTable, roles: SweepRoles) -> SweepRoles:
    """Draw what tells strategies and runs apart."""
    taken = {roles.utility, roles.privacy, roles.spread}
    names = [name for name in _readable(table) if name not in taken]
    likely = roles.strategy or (_EACH if roles.each_row else _TOGETHER)
    strategy = _column(preview, "Strategy", "strategy", _first(likely, [*names, _TOGETHER, _EACH]))
    run = _column(preview, "Run", "run", _first(roles.run or _NONE, [_NONE, *names]))
    free = [name for name in names if name not in (strategy, run)]
    usual = [name for name in roles.hyperparameters if name in free]
    settings = preview.columns("Hyperparameters", "settings", free, usual)
    each_row = strategy == _EACH
    kept_apart = [_LEVELS, _RUNS] if roles.levels else [_RUNS, _LEVELS]
    levels = preview.choice("Rows that differ in privacy", "levels", kept_apart, "by how runs are told") == _LEVELS
    return replace(
        roles,
        strategy=None if strategy in (_TOGETHER, _EACH) else strategy,
        each_row=each_row,
        levels=levels and not each_row,
        run=None if run == _NONE else run,
        hyperparameters=tuple(settings),
    )


def _readable(table: LossTable) -> list[str]:
    readable = {column.name for column in table.numbers} | {column.name for column in table.labels}
    return [name for name in table.layout.names if name in readable]


def _only(preview: Preview, table: LossTable) -> tuple[str, str] | None:
    """Draw the choice of some of the rows, such as those of one data set."""
    labels = [column.name for column in table.labels if 1 < len(column.labels) <= 1000]
    if not labels:
        return None
    column = preview.choice("Only rows with", "only", [_ALL, *labels])
    if column == _ALL:
        return None
    return column, preview.choice("equal to", f"only_{column}", codes_of(table, column)[1])


def _read_as(roles: SweepRoles) -> str:
    utility, privacy = literal(roles.utility), literal(roles.privacy)
    goals = f"Utility is **{utility}** ({roles.utility_better}), privacy is **{privacy}** ({roles.privacy_better})."
    alike = [name for name in (roles.strategy, *roles.hyperparameters) if name is not None]
    if roles.each_row:
        return f"{goals} Every row is a strategy."
    if not alike and not roles.levels:
        return f"{goals} All rows are one strategy."
    if roles.levels:
        alike.append(roles.privacy)
    return f"{goals} Rows alike in {', '.join(f'**{literal(name)}**' for name in alike)} are runs of one point."
