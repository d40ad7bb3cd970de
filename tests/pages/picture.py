"""The picture of people as a page sends it to the browser."""

import json
from typing import Any

from streamlit.testing.v1 import AppTest


def parts(app: AppTest) -> list[dict[str, Any]]:
    """What every part of the component was given."""
    return [json.loads(one.proto.mixed.json or one.proto.json)[0] for one in app.get("bidi_component")]


def scene(app: AppTest) -> dict[str, Any]:
    """The scene of the page's answer."""
    (answer,) = (part["scene"] for part in parts(app) if part["part"] == "answer")
    return dict(answer)


def level(app: AppTest) -> dict[str, Any]:
    """What the answer shows at first."""
    shown = scene(app)
    return dict(shown["levels"][shown["chosen"]])


def sentence(app: AppTest) -> str:
    """The verdict as it is read."""
    shown, now = scene(app), level(app)
    return f"{now['before']} {now['found']:,} of {shown['crowd']:,} {shown['words']['after']}. {now['verdict']}"
