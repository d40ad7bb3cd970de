"""Pasting what an accountant printed, or giving an exported release: what was understood is shown before it is used."""

from collections.abc import Callable

import streamlit as st

from pages.ui.accountant_state import LONGEST, AccountantState, read
from pages.ui.plain_text import literal

_HELP = (
    "An Opacus accountant's history or state, a DpEvent of dp-accounting as it prints, a release exported here (JSON), "
    "or the arguments of a DP-SGD tool: --noise_multiplier=1.1 --batch_size=256 --epochs=60 --num_examples=60000"
)
_FILE_HELP = "An exported release: “Release (JSON)” under “Share”. It counts instead of the text above it."
_TURN = "pasted_state.turn"


def draw(use: Callable[[AccountantState], None]) -> None:
    """Draw the box, folded away, with what was understood of its text and the button that uses it."""
    fold = st.popover("Paste", key="pasted_state.open", on_change="rerun")
    if not fold.open:
        return
    pasted = fold.text_area(
        "Accountant's state or arguments", key="pasted_state.text", max_chars=LONGEST, placeholder=_HELP
    )
    file = fold.file_uploader("or a release's file", "json", key=_uploader(), help=_FILE_HELP, max_upload_size=1)
    if not pasted and file is None:
        return
    try:
        state = read(pasted if file is None else _text(file.getvalue()))
    except ValueError as reason:
        fold.warning(f"Not understood: {literal(str(reason))}", icon=":material/block:")
        return
    fold.markdown(literal(state.words))
    fold.button("Use it", key="pasted_state.use", on_click=_use, args=(use, state))


def _uploader() -> str:
    return f"pasted_state.file_{st.session_state.get(_TURN, 0)}"


def _text(data: bytes) -> str:
    try:
        return data[: 4 * LONGEST + 4].decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("the file is no text in UTF-8. Export the release anew.") from None


def _use(use: Callable[[AccountantState], None], state: AccountantState) -> None:
    """Use it, and fold the box away, without the file: the answer lies below it."""
    use(state)
    st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1
    st.session_state["pasted_state.open"] = False
