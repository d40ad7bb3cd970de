"""Answers about files in a link: they hold for the files whose SHA-256 it names, and for no others.

A link has no word of a file in it: a question and its answer are told by the first digits of their words' SHA-256.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256

import streamlit as st

from losses import KnownLayout
from losses.layout import DECIMALS, DELIMITERS, ENCODINGS

_DIGITS = 12
_NEXT, _IS, _AND = "~", "-", "."


def key(slot: str) -> str:
    """What a link calls the answers about the files of a place."""
    return f"{slot}_answers"


def digest_of(digests: Iterable[str]) -> str:
    """The SHA-256 of a file; of several, that of theirs in order."""
    first, *others = digests
    return sha256("".join((first, *others)).encode()).hexdigest() if others else first


def asked_of(slot: str) -> str:
    """The SHA-256 that a link names for the files of a place; empty where it names none."""
    return str(st.query_params.get(key(slot), "")).partition(_NEXT)[0]


def given(slot: str) -> str:
    """What a link has to say of answers that were given: in this visit, or by a link whose files did not come yet."""
    return str(st.session_state.get(_given(slot), st.query_params.get(key(slot), "")))


class FileAnswers:
    """What a link answers about the files with a SHA-256, and what was answered in this visit.

    Attributes:
        is_asked: whether a link answers anything about these very files.
        is_of_others: whether it does so about others.
    """

    def __init__(self, slot: str, digest: str) -> None:
        named, *parts = str(st.query_params.get(key(slot), "")).split(_NEXT)
        self.is_asked, self.is_of_others = named == digest, named not in ("", digest)
        self._slot, self._given = slot, [digest]
        self._marks = {what: marks.split(_AND) for what, _, marks in (part.partition(_IS) for part in parts)}

    def of(self, what: str, answers: Sequence[str]) -> list[str]:
        """Which of the answers to a question the link gives, in its order."""
        marks = self._marks.get(_mark(what), []) if self.is_asked else []
        known = {_mark(one): one for one in answers} if marks else {}
        return [known[mark] for mark in marks if mark in known]

    def note(self, what: str, answers: Sequence[str]) -> None:
        """Note an answer, for a link from here."""
        self._given.append(f"{_mark(what)}{_IS}{_AND.join(map(_mark, answers))}")
        st.session_state[_given(self._slot)] = _NEXT.join(self._given)

    def note_layout(self, known: KnownLayout) -> None:
        """Note what was said of a file's layout, which may be nothing."""
        st.session_state[_given(self._slot)] = self._given[0]
        for what, value in vars(known).items():
            if value not in (None, ()):
                self.note(what, [str(value)])


def known_layout(slot: str, digest: str) -> KnownLayout:
    """What a link says of the layout of the file with this SHA-256."""
    answers = FileAnswers(slot, digest)

    def said(what: str, options: Iterable[str]) -> str | None:
        return next(iter(answers.of(what, list(options))), None)

    header = said("has_header", ("True", "False"))
    return KnownLayout(
        said("delimiter", DELIMITERS),
        said("decimal", DECIMALS),
        said("encoding", ENCODINGS),
        None if header is None else header == "True",
    )


def _given(slot: str) -> str:
    return f"{slot}_answers_given"


def _mark(words: str) -> str:
    return sha256(words.encode()).hexdigest()[:_DIGITS]
