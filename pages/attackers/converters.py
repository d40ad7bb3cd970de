"""Placeholder to be written."""

from pages.attackers.setting import Setting


def draw(setting: Setting) -> None:
    """Draw it."""
    del setting
