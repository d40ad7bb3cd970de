"""Entry point: the pages, and the controls every page shares. Run with ``streamlit run app.py``."""

import streamlit as st

from pages.shared import controls, startup

startup.freeze()
st.set_page_config("Privacy trade-offs", "docs/icon.svg", layout="wide", initial_sidebar_state="collapsed")

# An address equal to its file's stem would let Streamlit serve that file alone, without this script, to the first
# visitor who arrives by deep link. The default page ignores its address.
home = st.Page("pages/home.py", title="Home", url_path="start", default=True)
explorer = st.Page("pages/mechanism_explorer.py", title="Explore a mechanism", url_path="mechanism")
audit = st.Page("pages/epsilon_star.py", title="Measure a trained model", url_path="epsilon-star")

page = st.navigation([home, explorer, audit], position="top")
controls.draw(in_sidebar=page in (home, audit))
page.run()
