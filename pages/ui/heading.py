"""What the visitor is looking at: the question that the page answers, in one line."""

import streamlit as st

# Pixels. On a wider screen lines of text would be too long to read, and figures flatter than they should be.
WIDEST = 1600


def draw(question: str) -> None:
    """Draw the question as the page's one first-level heading; the page's name is in the navigation."""
    st.title(question, anchor=False)
