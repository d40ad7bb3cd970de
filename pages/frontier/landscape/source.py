"""Where a sweep comes from: one that is shipped, a file, or pasted text; and how its columns are read."""

from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from losses import LossTable, SweepRoles, guess_roles, read_sweep
from losses.sweeps.columns import codes_of
from losses.sweeps.samples import SWEEPS, SweepSample
from numerics.pareto import Better
from pages.frontier.landscape import pasted_table
from pages.server.session_cache import session_cache
from pages.ui import file_layout, upload_choices, uploads
from pages.ui.upload_reading import Upload
from pages.ui.upload_snippet import corrections, opened
from pages.ui.uploads import literal

A_FILE, PASTED = "a file", "pasted text"
KEYS = ("land_from", "land_text", "land_colours")
_SLOT = "land"
_NONE, _ALL = "– none –", "– all rows –"
_TOGETHER = "– what is alike in the hyperparameters –"
_EACH = "– every row –"
_LEVELS, _RUNS = "are levels, kept apart", "are runs, averaged"
_LABEL = "A sweep: a row for every run, with its strategy, utility and privacy"
_SAID = (
    "The columns may be in any order and have any name; hyperparameters may be among them. What you give stays in this "
    "session and is not stored."
)
_EXAMPLE = "strategy,run,accuracy,epsilon_star\nbaseline,1,0.86,2.4\nbaseline,2,0.85,2.6\nDP-SGD,1,0.71,0.4"


@dataclass(frozen=True, eq=False)
class Source:
    """A sweep's table and how it is read.

    Attributes:
        key: tells the table from all else.
        name: for exports.
        table: what was read.
        roles: which columns hold what.
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


def draw(subject: DeltaGenerator, given: DeltaGenerator, colours: DeltaGenerator) -> Source | None:
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
            upload = file_layout.upload(slot, _LABEL, read_sweep)
        else:
            upload = pasted_table.draw(slot, _LABEL, KEYS[1], read_sweep, _EXAMPLE)
        if upload is None:
            st.caption(_SAID)
            return None
        return _given(upload, slot, colours)


def _shipped(sample: SweepSample, place: DeltaGenerator) -> Source:
    table = session_cache("land_shipped", sample.file, 2, sample.table)
    python = f"read_sweep(open('data/{sample.file}', 'rb').read())", ()
    words = f"{literal(sample.description)} {_read_as(sample.roles)}"
    options = _colour_options(table, sample.roles)
    chosen = place.selectbox("Colours", options, key=KEYS[2], bind="query-params", width=130)
    colours = None if chosen == _NONE else chosen
    return Source(sample.file, sample.name, table, sample.roles, False, colours, python, words)


def _given(upload: Upload, slot: str, place: DeltaGenerator) -> Source:
    """Draw which column is what, and in ``place`` which is the colour."""
    table = upload.table
    guessed: SweepRoles = uploads.made(slot, "roles", upload.key, lambda: guess_roles(table))
    with st.expander("Which column is what", key=f"{slot}_columns", type="compact"):
        with st.container(horizontal=True, vertical_alignment="bottom"):
            roles = _goals(table, guessed, slot)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            roles = _strategies(table, roles, slot)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            roles = replace(roles, only=_only(table, slot))
    with place:
        place_of = upload_choices.memory(slot, "colours")
        chosen = upload_choices.choice("Colours", place_of, _colour_options(table, roles), width=130)
    colours = None if chosen == _NONE else chosen
    drop = upload_choices.leave_out(slot)
    python = opened("read_sweep", upload), corrections(upload)
    return Source(upload.key, uploads.named(slot, upload), table, roles, drop, colours, python, _read_as(roles), slot)


def _colour_options(table: LossTable, roles: SweepRoles) -> list[str]:
    """Every column that tells strategies apart or says something of them; the one with their names first."""
    first = [name for name in (roles.strategy, *roles.hyperparameters) if name is not None]
    taken = {roles.run, roles.spread, *first}
    return [*first, _NONE, *(name for name in _readable(table) if name not in taken)]


def _first(name: str | None, others: list[str]) -> list[str]:
    """Options with the likeliest one in front."""
    return others if name is None else [name, *(other for other in others if other != name)]


def _goals(table: LossTable, guessed: SweepRoles, slot: str) -> SweepRoles:
    """Draw which columns are the goals, and which end of each is wanted."""
    numbers = [column.name for column in table.numbers]
    utility = upload_choices.column("Utility", slot, "utility", _first(guessed.utility, numbers))
    higher = _better("Utility:", slot, f"utility_{utility}", guessed.utility_better)
    privacy = upload_choices.column("Privacy", slot, "privacy", _first(guessed.privacy, numbers))
    lower = _better("Privacy:", slot, f"privacy_{privacy}", guessed.privacy_better)
    spread = upload_choices.column(
        "± of the utility", slot, "spread", _first(guessed.spread or _NONE, [_NONE, *numbers])
    )
    return replace(
        guessed,
        utility=utility,
        privacy=privacy,
        utility_better=higher,
        privacy_better=lower,
        spread=None if spread == _NONE else spread,
    )


def _better(label: str, slot: str, what: str, guessed: Better) -> Better:
    return Better(upload_choices.column(label, slot, what, _first(guessed.value, [better.value for better in Better])))


def _strategies(table: LossTable, roles: SweepRoles, slot: str) -> SweepRoles:
    """Draw what tells strategies and runs apart."""
    taken = {roles.utility, roles.privacy, roles.spread}
    names = [name for name in _readable(table) if name not in taken]
    likely = roles.strategy or (_EACH if roles.each_row else _TOGETHER)
    strategy = upload_choices.column("Strategy", slot, "strategy", _first(likely, [*names, _TOGETHER, _EACH]))
    run = upload_choices.column("Run", slot, "run", _first(roles.run or _NONE, [_NONE, *names]))
    free = [name for name in names if name not in (strategy, run)]
    usual = [name for name in roles.hyperparameters if name in free]
    settings = upload_choices.columns("Hyperparameters", slot, "settings", free, usual)
    each_row = strategy == _EACH
    kept_apart = [_LEVELS, _RUNS] if roles.levels else [_RUNS, _LEVELS]
    levels = upload_choices.column("Rows that differ in privacy", slot, "levels", kept_apart) == _LEVELS
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


def _only(table: LossTable, slot: str) -> tuple[str, str] | None:
    """Draw the choice of some of the rows, such as those of one data set."""
    labels = [column.name for column in table.labels if 1 < len(column.labels) <= 1000]
    if not labels:
        return None
    column = upload_choices.column("Only rows with", slot, "only", [_ALL, *labels])
    if column == _ALL:
        return None
    return column, upload_choices.column("equal to", slot, f"only_{column}", codes_of(table, column)[1])


def _read_as(roles: SweepRoles) -> str:
    """The roles in words."""
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
