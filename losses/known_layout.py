"""What a person says of a table's layout where it was found wrongly."""

from collections.abc import Collection
from dataclasses import dataclass

DELIMITERS = {"\t": "tab", ";": "semicolon", "|": "bar", ",": "comma", " ": "space"}  # the surest first
DECIMALS = {".": "point", ",": "comma"}
ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "utf-16-le": "UTF-16 (little-endian)",
    "utf-16-be": "UTF-16 (big-endian)",
    "utf-32": "UTF-32",
    "cp1252": "Windows-1252 (Western Europe)",
    "latin-1": "Latin-1",
    "cp1250": "Windows-1250 (Central Europe)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "mac-roman": "Mac Roman",
    "shift-jis": "Shift JIS",
    "gb18030": "GB 18030",
}


@dataclass(frozen=True)
class KnownLayout:
    """What is known about a table and need not be found; None for what is to be found.

    Attributes:
        delimiter: one of ``DELIMITERS``.
        decimal: one of ``DECIMALS``.
        encoding: one of ``ENCODINGS``.
        has_header: whether the first row of cells holds names.
        columns: those that somebody named, which are read whatever they are called.

    Raises ValueError for anything else.
    """

    delimiter: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    has_header: bool | None = None
    columns: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        _one_of("delimiter", self.delimiter, DELIMITERS)
        _one_of("decimal", self.decimal, DECIMALS)
        _one_of("encoding", self.encoding, ENCODINGS)


def _one_of(name: str, value: str | None, allowed: Collection[str]) -> None:
    if value is not None and value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}.")


NOTHING = KnownLayout()
