"""Where the visitor is: the page's name and the question it answers, on one line."""

import streamlit as st

# Pixels. On a wider screen lines of text would be too long to read, and figures flatter than they should be.
WIDEST = 1600


def draw(title: str, question: str) -> None:
    """Draw the page's name as its one first-level heading, and beside it the question, below it on a phone."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title(title, anchor=False, width="content")
        st.markdown(question, width="content")
