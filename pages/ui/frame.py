"""What every page has around it: the menu, the heading, the sidebar, and work that takes longer."""

from typing import Literal

import streamlit as st

from pages.server import end_of_run, startup
from pages.server.budget import UNASKED, Budget, Visit, within
from pages.ui import address, release_in_force, share, sidebar, skipped, tour
from pages.ui.catalog import HOME, PAGES, Page, Sidebar

# Pixels. On a wider screen lines of text would be too long to read, and figures flatter than they should be.
_WIDEST = 1600
# Streamlit leaves an empty one on the first page that draws nothing into it.
_NO_SIDEBAR = "<style>[data-testid=stSidebar] { display: none }</style>"


def draw() -> None:
    """One run: the visitor's page, with the controls beside it."""
    st.logo("docs/icon.svg")

    # The default page ignores its address.
    offered = {st.Page(one.script, title=one.title, url_path=one.address, default=one is HOME): one for one in PAGES}
    page = st.navigation(list(offered), position="top")
    here, wanted = offered[page], address.asked()
    title = f"{here.title} - Privacy trade-offs"
    st.set_page_config(title, "docs/icon.svg", "wide", _sidebar_at_first(here, arrives=wanted is not None))
    if here is not HOME or st.query_params:
        startup.load_rest()
    menu = share.draw_button()
    with st.container(horizontal_alignment="center"), st.container(width=_WIDEST):
        tour.draw()
        # There on every page: the browser forgets the address' part of controls that move.
        heading = st.container(horizontal=True, vertical_alignment="bottom", gap="xxsmall")
        if here.question:
            heading.title(here.question, anchor=False, width="content")
        longer, budget, refusal = st.container(), Budget(UNASKED, Visit().is_cancelled), ""
        folded = tuple(sidebar.MORE)
        with within(budget):
            # Links to examples say all they set: see ``address``.
            if here is HOME and not st.query_params and address.is_default(release_in_force.DEFAULTS):
                # It would say nothing, and be more than half of the first page's elements.
                folded = sidebar.FIRST
            elif here.sidebar is Sidebar.ABSENT:
                folded = ()
                st.html(_NO_SIDEBAR)
            else:
                refusal = sidebar.draw()
            if refusal and here.needs_release:
                st.warning(f"**No answer for this run.** {refusal}", icon=":material/block:")
            else:
                if here.needs_release and here.question:
                    heading.caption(f"Mechanism: {release_in_force.current().kinds}", width="content")
                page.run()
        with longer:
            skipped.draw(here.address, budget)
            address.say_what_was_refused(wanted or {}, release_in_force.NAMES)
    share.fill(menu, folded)
    end_of_run.mark()


def _sidebar_at_first(here: Page, arrives: bool) -> Literal["auto", "collapsed"] | None:
    """How the sidebar is to stand; None leaves it as the visitor left it.

    The browser changes it only for a word that differs from the last one it was told.
    """
    return here.sidebar.value if arrives or here.sidebar is Sidebar.OPEN else None
