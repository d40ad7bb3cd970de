"""Pasting what an accountant printed: what was understood is shown before it is used."""

from collections.abc import Callable

import streamlit as st

from pages.ui.accountant_state import LONGEST, AccountantState, read
from pages.ui.plain_text import literal

_HELP = (
    "An Opacus accountant's history or state, a DpEvent of dp-accounting as it prints, or the arguments of a DP-SGD "
    "tool: --noise_multiplier=1.1 --batch_size=256 --epochs=60 --num_examples=60000"
)


def draw(use: Callable[[AccountantState], None]) -> None:
    """Draw the box, folded away, with what was understood of its text and the button that uses it."""
    fold = st.popover("Paste", key="paste", on_change="rerun", help=_HELP)
    if not fold.open:
        return
    text = fold.text_area("Accountant's state or arguments", key="pasted", max_chars=LONGEST, placeholder=_HELP)
    if not text:
        return
    try:
        state = read(text)
    except ValueError as reason:
        fold.warning(f"Not understood: {literal(str(reason))}", icon=":material/block:")
        return
    fold.markdown(literal(state.words))
    fold.button("Use it", key="use_pasted", on_click=_use, args=(use, state))


def _use(use: Callable[[AccountantState], None], state: AccountantState) -> None:
    """Use it, and fold the box away: the answer lies below it."""
    use(state)
    st.session_state["paste"] = False
