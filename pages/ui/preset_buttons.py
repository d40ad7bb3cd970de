"""Presets as buttons, folded away: a click sets what the preset says."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import streamlit as st


class Preset(Protocol):
    """A preset."""

    @property
    def name(self) -> str:
        """For the button."""
        ...

    @property
    def words(self) -> str:
        """What it shows, and whose settings these are."""
        ...


_Preset = TypeVar("_Preset", bound=Preset)


def draw(
    presets: Sequence[_Preset],
    use: Callable[[_Preset], None],
    title: str = "Figures of the papers",
    *,
    key: str = "preset_buttons.open",
    note: str = "",
) -> None:
    """Draw a button for each preset and a note below them, folded away under ``title``; sent once that is opened."""
    fold = st.popover(title, key=key, on_change="rerun")
    if not fold.open:
        return
    for preset in presets:
        fold.button(preset.name, help=preset.words, on_click=_use, args=(use, preset, key), width="stretch")
    if note:
        fold.caption(note)


def _use(use: Callable[[_Preset], None], preset: _Preset, key: str) -> None:
    """Set it, and fold the buttons away: what they set lies below them."""
    use(preset)
    st.session_state[key] = False
