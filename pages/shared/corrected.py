"""What a visitor says about a file's layout where it was found wrongly; it holds for the next upload."""

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from losses import Corrections, LossTable, read_table
from losses.corrections import DECIMALS, DELIMITERS, ENCODINGS
from pages.shared import uploads
from pages.shared.uploads import Upload, choice

_FOUND = "as found"
_YES_NO = {"yes": "yes", "no": "no"}
_WORDS = (
    "The bytes of a file are dropped as soon as it is read. What you choose here holds from the **next upload** on: "
    "choose, then upload the file again. It is about text; Parquet says its layout itself."
)


def draw(slot: str) -> Corrections:
    """Draw the choices for ``slot``, folded."""
    with st.expander("Read it differently", key=f"corrected_{slot}", type="compact"):
        st.caption(_WORDS)
        with st.container(horizontal=True):
            delimiter = _one(slot, "Delimiter", DELIMITERS)
            decimal = _one(slot, "Decimal mark", DECIMALS)
            encoding = _one(slot, "Encoding", ENCODINGS)
            header = _one(slot, "Names in the first row", _YES_NO)
    return Corrections(delimiter, decimal, encoding, None if header is None else header == "yes")


def upload(slot: str, label: str, read: Callable[..., LossTable] = read_table) -> Upload | None:
    """Draw the place for a file with the choices below it; ``read`` takes the bytes and what is ``known``."""
    place = st.container()
    known = draw(slot)
    with place:
        return uploads.draw(slot, label, partial(read, known=known), known)


def _one(slot: str, label: str, words: Mapping[str, str]) -> str | None:
    memory = f"corrected_{slot}_{label.split(maxsplit=1)[0].lower()}"
    chosen = choice(label, memory, [_FOUND, *words], lambda key: words.get(key, key), 190)
    return None if chosen == _FOUND else chosen
