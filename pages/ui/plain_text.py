"""A stranger's text as it is, whatever marks it holds."""

import re

_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$&=])")
_LINKS = re.compile(r"([:@]|\bwww)")
_JOINER = "\u2060"  # takes no room; Streamlit reads :names: and addresses after the backslashes are gone
_LONGEST = 1000


def literal(text: str) -> str:
    """Markdown that shows ``text`` itself, without control and direction marks."""
    return _LINKS.sub(rf"\1{_JOINER}", _MARKUP.sub(r"\\\1", _visible(text)))


def _visible(text: str) -> str:
    seen = _INVISIBLE.sub("", text).strip()
    return seen if len(seen) <= _LONGEST else f"{seen[: _LONGEST - 1]}…"
