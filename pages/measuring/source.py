"""Whose losses are looked at: a shipped sample, one uploaded file, or two; and which of its columns mean what."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple

import streamlit as st

from losses import SAMPLES, Column, Groups, LossTable, join, one_column, split
from losses.columns import member_label
from pages.shared import uploads
from pages.shared.uploads import Upload

_URL: Literal["query-params"] = "query-params"


class Kind(StrEnum):
    """Where losses come from; the values are the labels, and the values in the URL."""

    SAMPLE = "a sample"
    ONE_FILE = "one file"
    TWO_FILES = "two files"


@dataclass(frozen=True, eq=False)
class Source:
    """Two groups of losses, not read yet.

    Attributes:
        key: tells it from every other, by the bytes of the files and by the choices made.
        name: for titles and exports.
        groups: reads the losses; raises TableError.
        python: what reads them in Python.
        files: names and SHA-256 of the files that hold them.
    """

    key: tuple[str, ...]
    name: str
    groups: Callable[[], Groups]
    python: str
    files: tuple[tuple[str, str], ...] = ()


def draw() -> Source | None:
    """Draw the choice of the source; None while a file or a choice is missing."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        kind = st.segmented_control(
            "Losses from", list(Kind), default=Kind.SAMPLE, key="source", bind=_URL, required=True
        )
        if kind in (Kind.SAMPLE, None):  # an address that says "source=" leaves nothing chosen
            return _sample()
    return _one_file() if kind == Kind.ONE_FILE else _two_files()


def _sample() -> Source:
    names = [sample.name for sample in SAMPLES]
    name = st.segmented_control("Sample", names, default=names[0], key="sample", bind=_URL, required=True)
    sample = SAMPLES[names.index(name or names[0])]
    st.caption(sample.description)
    python = f'groups = split(read_table(open("data/{sample.file}", "rb").read()), "loss", "member", "1")'
    return Source(
        ("sample", sample.name), f"sample: {sample.name}", sample.groups, python, ((sample.file, sample.digest),)
    )


def _one_file() -> Source | None:
    upload = uploads.draw("both", "A file with a loss and a membership in every row")
    if upload is None:
        return None
    table = upload.table
    if not table.labels:
        st.error(
            "**The file has no column that tells members from outsiders.** Add one with two different labels, or "
            "choose “two files” and upload each group as a file of its own.",
            icon=":material/error:",
        )
        return None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        loss = uploads.column("Losses", "both", "loss", [column.name for column in table.numbers])
        membership = _membership(table)
        member = _member(table, membership) if membership else None
        drop = uploads.leave_out("both")
    if membership is None or member is None:
        st.info("Say which column and which label mark the members.", icon=":material/help:")
        return None
    key = ("one", upload.digest, loss, membership, member, str(drop))
    arguments = f"{loss!r}, {membership!r}, {member!r}, drop={drop}"
    python = f"groups = split(read_table(open({upload.name!r}, 'rb').read()), {arguments})"
    files = ((upload.name, upload.digest),)
    return Source(key, upload.name, lambda: split(table, loss, membership, member, drop), python, files)


class _OneGroup(NamedTuple):
    """A file with one group, its column of losses, and whether rows may be left out."""

    upload: Upload
    loss: str
    drop: bool

    @property
    def python(self) -> str:
        return f"one_column(read_table(open({self.upload.name!r}, 'rb').read()), {self.loss!r}, drop={self.drop})"

    def losses(self) -> Column:
        return one_column(self.upload.table, self.loss, self.drop)


def _two_files() -> Source | None:
    left, right = st.columns(2)
    with left:
        train = _one_group("train", "Losses of the training data")
    with right:
        fresh = _one_group("fresh", "Losses of fresh data, the population")
    if train is None or fresh is None:
        return None
    both = (train, fresh)
    key = ("two", *(str(part) for group in both for part in (group.upload.digest, group.loss, group.drop)))
    python = "groups = join(\n" + "".join(f"    {group.python},\n" for group in both) + ")"
    name = " and ".join(group.upload.name for group in both)
    files = tuple((group.upload.name, group.upload.digest) for group in both)
    return Source(key, name, lambda: join(train.losses(), fresh.losses()), python, files)


def _one_group(slot: str, label: str) -> _OneGroup | None:
    upload = uploads.draw(slot, label)
    if upload is None:
        return None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        names = [column.name for column in upload.table.numbers]
        return _OneGroup(upload, uploads.column("Losses", slot, "loss", names), uploads.leave_out(slot))


_UNKNOWN = "choose …"


def _membership(table: LossTable) -> str | None:
    names = [column.name for column in table.labels]
    chosen = uploads.column(
        "Membership", "both", "membership", names if table.is_membership_clear else [_UNKNOWN, *names]
    )
    return None if chosen == _UNKNOWN else chosen


def _member(table: LossTable, membership: str) -> str | None:
    labels = list(table.label(membership).labels)
    guess = member_label(tuple(labels))
    if guess is None:
        ordered = labels if len(labels) != 2 else [_UNKNOWN, *labels]
    else:
        ordered = [guess, *(label for label in labels if label != guess)]
    chosen = uploads.column("Members are", "both", f"member_{membership}", ordered)
    return None if chosen == _UNKNOWN else chosen
