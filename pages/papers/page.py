"""Figures of the papers: all questions, or one, with what moves it and the sentence that answers."""

import streamlit as st

from pages.papers import gallery, show
from pages.papers.papers import BY_KEY
from pages.ui import address

# Streamlit paints links to the page that is open as current, and those that have the focus no differently.
_FOCUS = """<style>a[data-testid=stPageLink-NavLink]:focus-visible { outline: 2px solid; outline-offset: -2px }
a[data-testid=stPageLink-NavLink] :is(span, p) { white-space: normal !important }</style>"""

st.html(_FOCUS)
address.example_arrives()  # nobody is at an example here: the one that is chosen next arrives, be it the last one again
st.query_params.update({})  # of a link from this page to itself the browser writes no address; this has it written
asked = st.query_params.get(show.KEY)
if asked is not None and asked in BY_KEY:
    show.draw(BY_KEY[asked])
else:
    gallery.draw(asked)
