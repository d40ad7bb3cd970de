"""Uploading as a visitor does: a file is chosen, looked at, and confirmed."""

from typing import Any

from streamlit.testing.v1 import AppTest

from tests.pages.visit import checked


def offer(app: AppTest, *files: tuple[str, bytes], place: int = 0) -> AppTest:
    """Choose files, and confirm nothing."""
    if len(app.file_uploader) <= place:
        change(app)
    payload = [(name, data, "text/csv") for name, data in files]
    app.file_uploader[place].set_value(payload if len(payload) > 1 else payload[0])
    return checked(app.run())


def give(app: AppTest, *files: tuple[str, bytes], place: int = 0) -> AppTest:
    """Choose files, and confirm what is shown of them where nothing is wrong or open."""
    offer(app, *files, place=place)
    return app if app.error else confirm(app)


def confirm(app: AppTest) -> AppTest:
    """Accept the preview, where it lets one."""
    for button in _buttons(app, "_confirm"):
        if not button.disabled:
            return checked(button.click().run())
    return app


def change(app: AppTest) -> AppTest:
    """Open the preview that was confirmed."""
    for button in _buttons(app, "_change"):
        return checked(button.click().run())
    return app


def choose(app: AppTest, label: str, option: Any, place: int = 0) -> AppTest:
    """Choose otherwise how a file is read, and confirm it where nothing is open."""
    if label not in [found.label for found in app.selectbox]:
        change(app)
    found = [found for found in app.selectbox if found.label == label][place]
    checked(found.select(option).run())
    return confirm(app)


def _buttons(app: AppTest, end: str) -> list[Any]:
    keys = ((button, button.key or "") for button in app.button)
    return [button for button, key in keys if key.endswith(end)]
