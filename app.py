"""Entry point. Run with ``streamlit run app.py``.

The server imports this file once (``app`` below) and runs it anew, as ``__main__``, for every visitor and every change.
"""

import streamlit as st

from pages.server import broken_off, health, startup
from pages.server.turns import PATIENCE, RUNS

if __name__ == "__main__":
    startup.load_first()
    from pages.ui import frame

    with RUNS.turn(PATIENCE):
        frame.draw()
else:
    app = st.App(__file__, lifespan=startup.prepared, routes=[health.ROUTE], on_script_error=broken_off.say)
