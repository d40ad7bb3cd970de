"""A stranger's text as it is, whatever marks it holds."""

import re

from losses.errors import visible

_MARKUP = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>$&=])")
_LINKS = re.compile(r"([:@]|\bwww)")
_JOINER = "\u2060"  # takes no room; Streamlit reads :names: and addresses after the backslashes are gone
_LONGEST = 1000


def literal(text: str) -> str:
    """Markdown that shows ``text`` itself, without control and direction marks."""
    return _LINKS.sub(rf"\1{_JOINER}", _MARKUP.sub(r"\\\1", visible(text, _LONGEST)))
