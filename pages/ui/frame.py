"""What every page has around it: the menu, the heading, the controls beside it, and work that takes longer."""

import streamlit as st

from pages.server import end_of_run, startup
from pages.server.budget import UNASKED, Budget, Visit, within
from pages.ui import address, invalid_address, rail, release_controls, share, skipped, tour
from pages.ui.catalog import HOME, PAGES, Rail

# Pixels. On a wider screen lines of text would be too long to read, and figures flatter than they should be.
_WIDEST = 1600


def draw() -> None:
    """One run: the visitor's page, with the controls beside it."""
    st.logo("docs/icon.svg")

    # The default page ignores its address.
    offered = {st.Page(one.script, title=one.title, url_path=one.address, default=one is HOME): one for one in PAGES}
    page = st.navigation(list(offered), position="top")
    wanted = invalid_address.asked()
    here = offered[page]
    st.set_page_config(f"{here.title} - Privacy trade-offs", "docs/icon.svg", "wide", here.rail.value)
    if here is not HOME or st.query_params:
        startup.load_rest()
    menu = share.draw_button()
    with st.container(horizontal_alignment="center"), st.container(width=_WIDEST):
        tour.draw()
        with st.container():  # there on every page: the browser forgets the address' part of controls that move
            if here.question:
                st.title(here.question, anchor=False)
        longer, budget, refusal = st.container(), Budget(UNASKED, Visit().is_cancelled), ""
        folded = tuple(rail.MORE)
        with within(budget):
            # Links to examples say all they set: example_links.py.
            if here is HOME and is_at_start():
                folded = rail.FIRST
            elif here.rail is Rail.ABSENT:
                folded = ()
            else:
                refusal = rail.draw(here.finds_people)
            if refusal and (here is HOME or here.rail is Rail.OPEN):
                st.warning(f"**No answer for this run.** {refusal}", icon=":material/block:")
            else:
                page.run()
        with longer:
            skipped.draw(here.address, budget)
            invalid_address.say(wanted)
    share.fill(menu, folded)
    end_of_run.mark()


def is_at_start() -> bool:
    """Whether the rail would say nothing: folded away on a first page, it would be more than half of its elements."""
    return not st.query_params and address.is_at_start(release_controls.STARTS)
