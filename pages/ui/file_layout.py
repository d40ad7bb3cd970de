"""What a visitor says about a file's layout where it was found wrongly; it holds for that file."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

import streamlit as st

from losses import KnownLayout
from losses.layout import DECIMALS, DELIMITERS, ENCODINGS, NOTHING
from pages.ui.upload_choices import choice
from pages.ui.upload_reading import LayoutChoices, Refusal, Upload

_FOUND = "as found"
_YES_NO = {"yes": "yes", "no": "no"}
_WORDS = (
    "The bytes of a file are dropped as soon as it is read: choose, then **upload the file again**. What you choose "
    "holds for that file alone, or for the first one that comes. It is about text; Parquet says its layout itself."
)


def draw(slot: str, seen: Sequence[Upload | Refusal]) -> LayoutChoices:
    """Draw the choices for ``slot``, folded.

    Args:
        slot: where files go.
        seen: the files that came, which the choices are about.
    """
    files = {one.digest for one in seen}
    place = f"{slot}_layout_{sha256(''.join(sorted(files)).encode()).hexdigest()[:16]}"
    known = next(iter({one.known for one in seen}), NOTHING)
    with st.expander("Read it differently", key=f"{slot}_layout", type="compact"):
        st.caption(_WORDS)
        with st.container(horizontal=True):
            delimiter = _one(place, "Delimiter", DELIMITERS, known.delimiter)
            decimal = _one(place, "Decimal mark", DECIMALS, known.decimal)
            encoding = _one(place, "Encoding", ENCODINGS, known.encoding)
            has_header = None if known.has_header is None else "yes" if known.has_header else "no"
            header = _one(place, "Names in the first row", _YES_NO, has_header)
    known = KnownLayout(delimiter, decimal, encoding, None if header is None else header == "yes")
    kept: dict[str, KnownLayout] = st.session_state.setdefault(f"{slot}_layout_kept", {})
    kept |= dict.fromkeys(files, known)
    return LayoutChoices(NOTHING if files else known, kept)


def _one(place: str, label: str, words: Mapping[str, str], known: str | None) -> str | None:
    memory = f"{place}_{label.split(maxsplit=1)[0].lower()}"
    st.session_state.setdefault(memory, _FOUND if known is None else known)
    chosen = choice(label, memory, [_FOUND, *words], lambda key: words.get(key, key), 190)
    return None if chosen == _FOUND else chosen
