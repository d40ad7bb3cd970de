"""What an audit measures: two groups of losses, or rows with a score and who was in; and what is shipped of both."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from losses import (
    SAMPLES,
    ColumnRoles,
    Groups,
    Instance,
    LongRows,
    Membership,
    Sample,
    read_evidence,
    rows_of,
)
from losses.samples import ShippedFile
from losses.training_labels import Why
from numerics.audits import Scores
from numerics.epsilon_star import LossScale
from reports.audit_report import Data, notes_on_scores
from reports.parts import MODELS, kind_of
from reports.python_code import readers


@dataclass(frozen=True, eq=False)
class Models:
    """Several models of one mechanism, not read yet.

    Attributes:
        key: tells them from all others, by the bytes of the files and by the choices made.
        names: one for each, in order.
        read: reads the losses of all of them, in the same order; raises TableError.
        of_one: what is measured of the one with a name.
        rows: reads the rows of all, with the records they are of, where a column names these.
        kind: what they are called: ``models``, ``epochs``.
    """

    key: tuple[str, ...]
    names: tuple[str, ...]
    read: Callable[[], list[Instance]]
    of_one: Callable[[str], "LossSource"]
    rows: Callable[[], LongRows] | None = None
    kind: str = MODELS


@dataclass(frozen=True, eq=False)
class LossSource:
    """Two groups of losses, not read yet.

    Attributes:
        key: tells it from every other, by the bytes of the files and by the choices made.
        name: for titles and exports.
        groups: reads the losses; raises TableError.
        python: what reads them in Python, imports included.
        models: the models it is one of.
        files: names and SHA-256 of the files that hold them.
        membership: which rows were taken for training data, and why.
        scale: what the losses are, where that is known.
        cut: how many of the losses come from probabilities that were cut.
        about: what the model is, where that is known.
        shipped: the shipped sample that it is; None of what was uploaded.
        rows: reads its rows, with slices, where a column that tells these was chosen.
    """

    key: tuple[str, ...]
    name: str
    groups: Callable[[], Groups]
    python: str
    models: Models | None = None
    files: tuple[tuple[str, str], ...] = ()
    membership: Membership | None = None
    scale: LossScale | None = None
    cut: int = 0
    about: str = ""
    shipped: Sample | None = None
    rows: Callable[[], LongRows] | None = None


@dataclass(frozen=True, eq=False)
class LabelledScores:
    """Scores and who was in, in the file's order.

    Attributes:
        key: tells them from all others, by the bytes of the file and by the choices made.
        name: for titles and exports.
        rows: of all models; large scores speak for "in".
        files: names and SHA-256 of the files that hold them.
        membership: which label counts as in, and why.
        negated: whether small numbers spoke for "in" in the file.
        python: what reads ``values`` and ``is_in`` in Python, imports included.
        about: what is known of a shipped file, and that nobody needs to confirm how it was made; empty of uploads.
    """

    key: tuple[str, ...]
    name: str
    rows: LongRows
    files: tuple[tuple[str, str], ...]
    membership: Membership
    negated: bool
    python: str
    about: str = ""

    @property
    def scores(self) -> Scores:
        """The scores without the record, and with it."""
        return self.rows.scores

    def of_model(self, name: str) -> "LabelledScores":
        """Those of one of the models."""
        assert self.rows.models is not None
        words = f"{name}, one of {len(self.rows.models.labels):,} {kind_of([self.rows.models.name])}"
        python = f"{self.python}\nrows = rows.of_model({name!r})\nvalues, is_in = rows.values, rows.is_in"
        return replace(self, key=(*self.key, name), name=words, rows=self.rows.of_model(name), python=python)

    def data(self, further: str = "") -> Data:
        """What was read, for a report; ``further`` lines of Python go on from ``values`` and ``is_in``."""
        notes = (self.about,) if self.about else notes_on_scores(self.membership, self.negated, self.rows.dropped)
        code = "\n".join(filter(None, (self.python, further)))
        return Data(self.name, self.files, code, (*notes, *self.rows.notes))


# What is shipped


def shipped_losses(sample: Sample) -> LossSource:
    """The losses of a shipped model."""
    line = f'groups = split(read_table(open("data/{sample.file}", "rb").read()), "loss", "member", "1")'
    return LossSource(
        ("sample", sample.name),
        f"sample: {sample.name}",
        sample.groups,
        readers(("read_table", "split"), line),
        files=((sample.file, sample.digest),),
        membership=sample.membership,
        scale=LossScale.LOG_ODDS,
        about=sample.description,
        shipped=sample,
    )


_PROMISED = "1,000 canaries in one run of DP-SGD; noise 1, rate 0.01 and 1,000 steps were promised."
_CANARIES = {
    "noise too small": ("The noise of a mean was added to the sum.", "canaries_noise_by_batch.csv"),
    "not clipped": ("Gradients were not clipped.", "canaries_not_clipped.csv"),
    "wrong rate": ("Five times as many records a step.", "canaries_five_times_the_rate.csv"),
    "as promised": ("What was promised: noise 1, rate 0.01, 1,000 steps.", "canaries_as_promised.csv"),
}
CANARY_SAMPLES = tuple(ShippedFile(name, about, file) for name, (about, file) in _CANARIES.items())
"""Runs of DP-SGD with canaries: broken in three ways, and as promised. How they were made: data/README.md."""


@cache
def shipped_scores(name: str) -> LabelledScores:
    """The scores of a shipped run with canaries, or the losses of a shipped model as scores."""
    sample: ShippedFile = {one.name: one for one in (*SAMPLES, *CANARY_SAMPLES)}[name]
    is_canary = sample in CANARY_SAMPLES
    value, group = ("score", "included") if is_canary else ("loss", "member")
    roles = f'ColumnRoles("{value}", "{group}", "1"), negate={not is_canary}'
    lines = (
        f'rows = rows_of(read_evidence(Path("data/{sample.file}").read_bytes()), {roles})',
        "values, is_in = rows.values, rows.is_in",
    )
    return LabelledScores(
        ("sample", name),
        f"sample: {name}",
        rows_of(read_evidence(sample.content), ColumnRoles(value, group, "1"), negate=not is_canary),
        ((sample.file, sample.digest),),
        Membership(group, "1", Why.NAME),
        not is_canary,
        "from pathlib import Path\n\n" + readers(("ColumnRoles", "read_evidence", "rows_of"), *lines),
        f"{sample.description} {_PROMISED}" if is_canary else sample.description,
    )
