"""Entry point. Run with ``streamlit run app.py``.

The server imports this file once (``app`` below) and runs it anew, as ``__main__``, for every visitor and every change.
"""

import streamlit as st

from pages.server import end_of_run, health, incoming, startup
from pages.server.run_order import RUNS

if __name__ == "__main__":
    startup.load_first()
    from pages.ui import frame

    with RUNS.turn():
        frame.draw()
else:
    app = st.App(
        __file__,
        lifespan=startup.prepared,
        routes=[health.ROUTE],
        middleware=[incoming.MIDDLEWARE],
        on_script_error=end_of_run.broken_off,
    )
