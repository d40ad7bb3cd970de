"""What holds for every text on a page, whatever it says: each number and name is written in one way."""

import re
from collections.abc import Iterator

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element

# What must not stand in a text, and what is written instead.
NEVER = {
    r"\d%": "a space before the sign, as everywhere else",
    r"(?<![\w.`'])\d+(\.\d+)?e[-+]?\d+": "10⁻⁵, as everywhere else",
    r"\d\.\d{12,}": "an estimate with the digits that mean something",
    "\u0395": "a small epsilon, also where a sentence begins",
    r"\bthe rail\b|\bat the left\b": "the sidebar, which may be closed",
    r"(?<![.,\d])\b1 (rows|people|records|steps|columns|members|outsiders|canaries|runs|models|values)\b": "one",
    r"\bnp\.float|\bNone\b": "what is meant",
}


def texts(app: AppTest) -> Iterator[str]:
    """What the page says: headings, sentences, labels, tips and cells; not what a visitor entered, nor code."""
    for element in _elements(app._tree):
        if element.type not in ("code", "latex"):
            for name in ("body", "label", "help", "text"):
                said = getattr(element.proto, name, "")
                if isinstance(said, str):
                    yield re.sub(r"`[^`]*`|\$[^$]*\$", "", said)


def _elements(block: Block) -> Iterator[Element]:
    for child in block.children.values():
        if isinstance(child, Block):
            yield from _elements(child)
        else:
            yield child


def found(app: AppTest) -> list[str]:
    """Texts that hold what must not stand there, each with what is written instead."""
    return [
        f"{instead}: {text}"
        for text in dict.fromkeys(texts(app))
        for pattern, instead in NEVER.items()
        if re.search(pattern, text)
    ]
