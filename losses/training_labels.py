"""Which label of a column means training data: told by its labels, or by its name; asked where neither says it.

A column such as ``is_test`` marks with 1 who was *not* trained on. Read the wrong way round, every number of an audit
would be about the other group, so what was decided, and why, goes wherever the numbers go.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from losses.errors import quoted

_GAP = r"[\W_]*"
_OF = r"(?:s?(?:set|data|daten|datensatz|satz|menge|split|samples?|rows?))?"
_TARGET = r"(?:(?:the|a|den|dem|le|la)[\W_]+)?(?:record|canary|datensatz)"  # what an audit puts in
# English, German and French, without accents. The first alternative that fits wins, so phrases stand before words.
_KINDS = {
    "either": r"or|oder|ou|vs|versus",
    "excluded": rf"exclu(?:d(?:e[ds]?|ing)|es?|s)?|ausgeschlossen|withheld|left{_GAP}out|outside|"
    rf"hors(?!{_GAP}echantillon)|(?:unseen|h[eo]ld{_GAP}out|ungesehen){_GAP}(?:in|from|during|by|im|beim)|"
    rf"(?:without|ohne|sans|no){_GAP}{_TARGET}",
    "outsider": rf"tests?{_OF}|test(?:ed|ing)|h[eo]ld{_GAP}outs?{_OF}|validation{_OF}|validierung{_OF}|"
    rf"(?:is|in){_GAP}val|val(?:id)?{_GAP}set|eval(?:s|uate|uated|uation|uierung)?{_OF}|"
    rf"(?:un|non{_GAP})seen|ungesehen(?:e[nrs]?)?|untrained|untrainiert(?:e[nrs]?)?|"
    rf"out{_GAP}of{_GAP}(?:sample|bag)|oos|oob|hors{_GAP}echantillon|outsiders?|population|fresh",
    "member": rf"members?(?:hips?)?|insiders?|train(?:ed|ings?)?{_OF}|seen|in{_GAP}(?:sample|bag)|"
    rf"mitglied(?:er|s|schaft)?|trainiert(?:e[nrs]?)?|(?:an)?gelernt|lern(?:daten|menge)|gesehen(?:e[nrs]?)?|"
    r"membres?|appartenance|entraine(?:e?s?|ments?)|apprentissage|appris(?:es?)?|vue?s?",
    "negation": rf"not|non|no(?={_GAP}(?:members?|train|test|seen))|never|"
    r"nicht|kein(?:e[nrs]?)?|nie|pas|jamais|sans|ohne|without|isnt|wasnt",
    "included": rf"includ(?:e[ds]?)|inclus(?:es?)?|enthalten|(?:with|has|contains|mit|avec){_GAP}{_TARGET}",
    # Short for a group where a cell says nothing else; in a column's name they may mean anything.
    "outside": r"out",
    "inside": r"in",
    "outsider_cell": r"pop|val|valid|dev|te|va",
    "member_cell": r"trn?",
}
_CELLS = {"outside": "excluded", "inside": "included", "outsider_cell": "outsider", "member_cell": "member"}
_GROUPS = {"member", "outsider"}
_WORD = re.compile(
    "(?<![a-z])(?:" + "|".join(f"(?P<{kind}>{words})" for kind, words in _KINDS.items()) + ")(?![a-z])", re.IGNORECASE
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_GLUED = re.compile(
    r"(?<![a-z])(is|was|ist|est|in|non|not|no|nicht|kein)"
    r"(?=(?:members?|mitglied|membre|train|test|h[eo]ldout|unseen|seen|val|eval|entraine))",
    re.IGNORECASE,
)
_WORLD = re.compile(r"(?<![a-z])worlds?(?![a-z])", re.IGNORECASE)  # of an audit: with the record, or without
_YES = {"true", "t", "yes", "y", "ja", "j", "wahr", "oui", "o", "vrai"}
_NO = {"false", "f", "no", "n", "nein", "falsch", "non", "faux"}


class Why(StrEnum):
    """Why a label is taken for the one of training data."""

    LABELS = "its labels say so"
    NAME = "its name says who was trained on"
    NAME_OF_OTHERS = "its name says who was not trained on"
    SAID = "this was said, not guessed"
    COLUMN = "each group has a column of its own"


@dataclass(frozen=True)
class Membership:
    """Which column tells members from outsiders, which of its labels means training data, and why."""

    column: str
    member: str
    why: Why

    @property
    def words(self) -> str:
        """The decision as a sentence."""
        return self.said("training data")

    def said(self, what: str) -> str:
        """The decision as a sentence; ``what`` the label means: "training data" of losses, "included" of canaries."""
        if self.why is Why.COLUMN:
            return f"Column {quoted(self.member)} means {what}: {self.why}."
        return f"{quoted(self.member)} in column {quoted(self.column)} means {what}: {self.why}."


def training_label(column: str, labels: Sequence[str], said: str | None = None) -> Membership | None:
    """Which of two labels means training data; None where neither they nor the column's name say it.

    Args:
        column: its name.
        labels: the different ones.
        said: the label that a person named, which holds whatever words say.
    """
    found = _by_labels(column, labels) if len(labels) == 2 else None
    if said is None or (found is not None and found.member == said):
        return found
    return Membership(column, said, Why.SAID)


def _by_labels(column: str, labels: Sequence[str]) -> Membership | None:
    name = says_trained(column)
    answers = {_yes_or_no(label): label for label in labels}
    if answers.keys() == {True, False}:
        return None if name is None else Membership(column, answers[name], Why.NAME if name else Why.NAME_OF_OTHERS)
    of_what = " record" if _WORLD.search(spaced(column)) else ""  # "with" says nothing elsewhere
    groups = {says_trained(label + of_what, is_cell=True): label for label in labels}
    if groups.keys() != {True, False} or (name is False and not all(map(_names_group, labels))):
        return None  # "in" below "test" may be in the test data
    return Membership(column, groups[True], Why.LABELS)


def _yes_or_no(label: str) -> bool | None:
    try:
        return {1.0: True, 0.0: False, -1.0: False}.get(float(label))
    except ValueError:
        word = label.strip().casefold()
        return True if word in _YES else False if word in _NO else None


def says_trained(text: str, is_cell: bool = False) -> bool | None:
    """Whether words are for who was trained on (True) or for who was not (False); None where they say neither or both.

    Args:
        text: a column's name, a label, or a file's name.
        is_cell: it stands for a group if for anything: "in" and "val" may mean all sorts of things in a column's name.
    """
    kinds = [str(found.lastgroup) for found in _WORD.finditer(spaced(text))]
    if is_cell and not _GROUPS & set(kinds):
        kinds = [_CELLS.get(kind, kind) for kind in kinds]
    side = _side(set(kinds))
    return None if side is None else side ^ bool(kinds.count("negation") % 2)


def _side(kinds: set[str]) -> bool | None:
    """The group that words are for, negations apart."""
    if "either" in kinds or kinds >= _GROUPS:
        return None
    if "member" in kinds:  # "in" is a preposition here, and so is "out of"
        return not kinds & {"excluded", "outside"}
    if "outsider" in kinds:
        return None if kinds & {"excluded", "outside"} else False  # who is excluded from a test need not be trained on
    asides = kinds & {"included", "excluded"}
    return None if len(asides) != 1 else asides == {"included"}


def _names_group(text: str) -> bool:
    return any(found.lastgroup in _GROUPS for found in _WORD.finditer(spaced(text)))


def without_group(text: str) -> str:
    """A name without the words for a group: what two files of one model have in common."""
    apart = _GLUED.sub(r"\1 ", _without_accents(text))
    return _WORD.sub(lambda found: "" if found.lastgroup != "either" else found.group(), apart)


def spaced(text: str) -> str:
    """Words apart that stand together: isTest, NotMember, istrain, nonmember."""
    return _GLUED.sub(r"\1 ", _CAMEL.sub(" ", _without_accents(text)))


def _without_accents(text: str) -> str:
    return "".join(mark for mark in unicodedata.normalize("NFKD", text) if not unicodedata.combining(mark))
