"""What is wrong with a table, where, and what the person can do about it."""

import re
import shlex

_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_LONGEST_QUOTE, _LONGEST_OPTION = 40, 200


class TableError(ValueError):
    """A table that cannot be used.

    Attributes:
        what: what is wrong.
        where: which row or column; empty when it is the whole file.
        remedy: what the person can do.
    """

    def __init__(self, what: str, remedy: str, where: str = "") -> None:
        super().__init__(" ".join(filter(None, (what, where, remedy))))
        self.what, self.where, self.remedy = what, where, remedy


class TooLargeError(TableError):
    """A table that is too large to be read into memory here: an engine may still count it where it is."""


def visible(text: str, longest: int = _LONGEST_QUOTE) -> str:
    """Text of an untrusted file, fit to be shown: no control or direction marks, and not too long."""
    seen = _INVISIBLE.sub("", text).strip()
    return seen if len(seen) <= longest else f"{seen[: longest - 1]}…"


def quoted(text: str) -> str:
    """A cell for a message."""
    return f"“{visible(text)}”"


def counted(number: int, what: str) -> str:
    """A number with its noun: ``1 cell``, ``2 cells``."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def option(name: str, *cells: str) -> str:
    """An option of the command as a shell takes it, with a column of an untrusted file and perhaps a label in it.

    Of a column whose name has "=" in it, one more ends the name.
    """
    ended = (*cells, "") if len(cells) == 1 and "=" in cells[0] else cells
    return f"--{name} {shlex.quote('='.join(visible(cell, _LONGEST_OPTION) for cell in ended))}"


def listed(texts: list[str], most: int = 5) -> str:
    """Cells for a message, the first few."""
    rest = f" and {len(texts) - most:,} more" if len(texts) > most else ""
    return ", ".join(map(quoted, texts[:most])) + rest
