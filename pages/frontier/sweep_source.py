"""Where a sweep comes from: one that is shipped, a file, or pasted text; and how its columns are read."""

from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from losses import LossTable, SweepRoles, guess_roles, read_sweep, sweep
from losses.errors import counted
from losses.sweeps.roles import codes_of, why_role
from losses.sweeps.samples import SWEEPS, SweepSample
from numerics.pareto import Better
from pages.server import memory_quota
from pages.server.shared_cache import session_cache
from pages.ui import address, upload_preview, uploads
from pages.ui.plain_text import literal
from pages.ui.upload_preview import Preview, UploadLook, look_at
from pages.ui.uploads import Refusal, Upload, imports, opened
from reports.rounding import how_many

A_FILE, PASTED = "a file", "pasted text"
KEYS = ("frontier.land_from", "frontier.land_text")
_SLOT = "frontier.land"
_NONE, _ALL = "– none –", "– all rows –"
_TOGETHER = "– what is alike in the hyperparameters –"
_EACH = "– every row –"
_NO_COLUMN = (_NONE, _TOGETHER, _EACH)
_LEVELS, _RUNS = "are levels, kept apart", "are runs, averaged"
_LABEL = "A sweep: a row for every run, with its strategy, utility and privacy"
_SAID = (
    "The columns may be in any order and have any name; hyperparameters may be among them. What you give stays in this "
    "session and is not stored."
)
_PASTED_NAME, _MOST = "pasted.csv", 5_000_000  # characters
_EXAMPLE = "strategy,run,accuracy,epsilon_star\nbaseline,1,0.86,2.4\nbaseline,2,0.85,2.6\nDP-SGD,1,0.71,0.4"


@dataclass(frozen=True, eq=False)
class SweepSource:
    """A sweep's table and how it is read.

    Attributes:
        key: tells the table from all else.
        drop: whether unusable rows are left out.
        python: the expression that reads the table, and what it imports besides.
        about: what is told about it, in Markdown.
        slot: where a visitor's own table is held; None for a shipped one.
    """

    key: str
    name: str
    table: LossTable
    roles: SweepRoles
    drop: bool
    python: tuple[str, tuple[str, ...]]
    about: str
    slot: str | None = None


def draw(subject: DeltaGenerator, given: DeltaGenerator) -> SweepSource | None:
    """Draw which sweep is weighed, and where a visitor gives one; None while there is no table."""
    names = [sample.name for sample in SWEEPS]
    with subject:
        chosen = st.selectbox(
            "Sweep", [*names, A_FILE, PASTED], key=KEYS[0], bind="query-params", width=260, label_visibility="collapsed"
        )
    with given:
        if chosen in names:
            return _shipped(SWEEPS[names.index(chosen)])
        slot = f"{_SLOT}_file" if chosen == A_FILE else f"{_SLOT}_pasted"
        if chosen == A_FILE:
            preview = upload_preview.of_file(slot, _LABEL, read_sweep)
        else:
            upload = _pasted(slot)
            preview = None if upload is None else Preview(slot, {slot: upload}, is_pasted=True)
        if preview is None:
            st.caption(_SAID)
            return None
        return _given(preview)


def _pasted(slot: str) -> Upload | None:
    """Draw the place for text, and say what is in it: read as a file would be, it stays in the session with its text.

    None where there is none, or it is no table. The text is never part of the address.
    """
    memory = f"{slot}_read"
    memory_quota.expect()
    text = st.text_area(_LABEL, key=KEYS[1], height=140, max_chars=_MOST, placeholder=_EXAMPLE, persist_state="session")
    if not (text or "").strip():
        uploads.forget(slot)
        if st.session_state.pop(memory, None) is not None:  # the visitor took it out
            address.forget_upload(slot)
        address.note_upload(slot, False)
        return None
    data = text.encode(errors="replace")
    found: Upload | Refusal | None = st.session_state.get(memory)
    if found is None or found.digest != sha256(data).hexdigest():
        found = st.session_state[memory] = uploads.read(_PASTED_NAME, data, read_sweep)
    if isinstance(found, Refusal):
        uploads.forget(slot)
        uploads.complain(found.problem)
        return None
    if uploads.held(slot).get(_PASTED_NAME) is not found:
        uploads.put(slot, found)
        uploads.settle(slot)
    address.note_upload(slot, True)
    rows, layout = how_many(found.table.rows, "row"), literal(found.table.layout.words)
    st.caption(f":material/check_circle: **Pasted**: {rows}, {layout}")
    return found


def _shipped(sample: SweepSample) -> SweepSource:
    table = session_cache("frontier.land_shipped", sample.file, 2, sample.table)
    python = f"read_sweep(open('data/{sample.file}', 'rb').read())", ()
    words = f"{literal(sample.description)} {_read_as(sample.roles)}"
    return SweepSource(sample.file, sample.name, table, sample.roles, False, python, words)


def _given(preview: Preview) -> SweepSource | None:
    """Draw which column is what; None until that is confirmed."""
    slot, (upload,) = preview.slot, preview.files.values()
    table = upload.table
    roles = _roles(preview, table, uploads.made(slot, "roles", upload.key, lambda: guess_roles(table)))
    drop = preview.leave_out(table.number(roles.utility), table.number(roles.privacy))
    if not preview.read_as(lambda: _look(table, roles, drop)):
        return None
    python = opened("read_sweep", upload), imports(upload)
    return SweepSource(upload.key, upload.source, table, roles, drop, python, _read_as(roles), slot)


def _look(table: LossTable, roles: SweepRoles, drop: bool) -> UploadLook:
    found = sweep(table, roles, drop)
    values = table.number(roles.privacy).values
    seen = look_at({"runs": values[np.isfinite(values)]}, found.dropped, roles.privacy)
    rest, runs = seen.words.partition("; ")[2], int(found.runs.sum())
    return replace(seen, words=f"{counted(len(found), 'setting')} in {counted(runs, 'row')}; {rest}")


def _readable(table: LossTable) -> list[str]:
    readable = {column.name for column in table.numbers} | {column.name for column in table.labels}
    return [name for name in table.layout.names if name in readable]


def _first(name: str | None, others: list[str]) -> list[str]:
    """Options with the likeliest one in front."""
    return others if name is None else [name, *(other for other in others if other != name)]


def _named(chosen: str, *others: str) -> str | None:
    """The column that was chosen; None for ``others`` that are offered beside columns."""
    return None if chosen in others else chosen


def _roles(preview: Preview, table: LossTable, guessed: SweepRoles) -> SweepRoles:
    """Draw which columns are the goals and which end of each is wanted, and what tells strategies and runs apart.

    And some of the rows, such as those of one data set.
    """

    def column(label: str, role: str, names: list[str]) -> str:
        return preview.column(label, role, names, lambda name: "" if name in _NO_COLUMN else why_role(role, name))

    def better(label: str, what: str, likely: Better) -> Better:
        options = _first(likely.value, [one.value for one in Better])
        return Better(preview.choice(label, what, options, "by its name"))

    numbers = [one.name for one in table.numbers]
    utility = column("Utility", "utility", _first(guessed.utility, numbers))
    higher = better("Utility:", f"utility_{utility}", guessed.utility_better)
    privacy = column("Privacy", "privacy", _first(guessed.privacy, numbers))
    lower = better("Privacy:", f"privacy_{privacy}", guessed.privacy_better)
    spread = _named(column("± of the utility", "spread", _first(guessed.spread or _NONE, [_NONE, *numbers])), _NONE)
    names = [name for name in _readable(table) if name not in (utility, privacy, spread)]
    likely = guessed.strategy or (_EACH if guessed.each_row else _TOGETHER)
    strategy = column("Strategy", "strategy", _first(likely, [*names, _TOGETHER, _EACH]))
    run = _named(column("Run", "run", _first(guessed.run or _NONE, [_NONE, *names])), _NONE)
    free = [name for name in names if name not in (strategy, run)]
    usual = [name for name in guessed.hyperparameters if name in free]
    settings = preview.columns("Hyperparameters", "settings", free, usual)
    kept_apart = [_LEVELS, _RUNS] if guessed.levels else [_RUNS, _LEVELS]
    levels = preview.choice("Rows that differ in privacy", "levels", kept_apart, "by how runs are told") == _LEVELS
    only, labels = None, [one.name for one in table.labels if 1 < len(one.labels) <= 1000]
    if labels and (chosen := preview.choice("Only rows with", "only", [_ALL, *labels])) != _ALL:
        only = chosen, preview.choice("equal to", f"only_{chosen}", codes_of(table, chosen)[1])
    return replace(
        guessed,
        utility=utility,
        privacy=privacy,
        utility_better=higher,
        privacy_better=lower,
        spread=spread,
        strategy=_named(strategy, _TOGETHER, _EACH),
        each_row=strategy == _EACH,
        levels=levels and strategy != _EACH,
        run=run,
        hyperparameters=tuple(settings),
        only=only,
    )


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
