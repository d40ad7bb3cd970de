"""Entry point: the pages, and the controls every page shares. Run with ``streamlit run app.py``.

The server imports this file once (``app`` below) and runs it anew, as ``__main__``, for every visitor and every change.
"""

import streamlit as st

from pages.shared import controls, heading, refused, startup, tour
from pages.shared.in_turn import PATIENCE, RUNS

# By the page's address. A page without one has a heading of its own.
QUESTIONS = {
    "mechanism": "How well can anybody be found in a release that you plan?",
    "attackers": "What does the same release give away to somebody who knows less?",
    "reconstruct": "How much surer does a release make a guess about somebody's record?",
    "frontier": "What does protection cost in accuracy?",
    "epsilon-star": "How much do a model's losses give away about its training data?",
    "about-this-tool": "What this tool assumes, what it corrects in print, and what it does with your data.",
}


def main() -> None:
    """One run: the visitor's page, with the controls above it."""
    st.set_page_config("Privacy trade-offs", "docs/icon.svg", layout="wide", initial_sidebar_state="collapsed")
    st.logo("docs/icon.svg")
    wanted = refused.asked()

    # The default page ignores its address. The others differ from their files' names: were Streamlit to take pages/ for
    # its own list of pages (see startup), it would serve such a file alone, without this script.
    home = st.Page("pages/home.py", title="Home", url_path="start", default=True)
    explorer = st.Page("pages/mechanism_explorer.py", title="Explore a mechanism", url_path="mechanism")
    attackers = st.Page("pages/threat_models.py", title="Compare attackers", url_path="attackers")
    rebuild = st.Page("pages/reconstruction.py", title="Reconstruct a record", url_path="reconstruct")
    weigh = st.Page("pages/utility_frontier.py", title="Weigh the cost", url_path="frontier")
    audit = st.Page("pages/epsilon_star.py", title="Measure a trained model", url_path="epsilon-star")
    gallery = st.Page("pages/gallery.py", title="Figures", url_path="papers")
    about = st.Page("pages/about.py", title="About", url_path="about-this-tool")

    page = st.navigation([home, explorer, attackers, rebuild, weigh, audit, gallery, about], position="top")
    if page != home or st.query_params:
        startup.load_rest()
    with st.container(horizontal_alignment="center"), st.container(width=heading.WIDEST):
        tour.draw()
        with st.container():  # there on every page: the browser forgets the address' part of controls that move
            if question := QUESTIONS.get(page.url_path):
                heading.draw(page.title, question)
        if page != gallery:  # links to examples say all that they set: see examples.py
            controls.draw(folded=page in (home, weigh, audit, about))
        page.run()
    refused.say(wanted)


if __name__ == "__main__":
    with RUNS.turn(PATIENCE):
        main()
else:
    app = st.App(__file__, lifespan=startup.prepared)
