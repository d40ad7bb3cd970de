"""The floor for a cold start: a Streamlit page with one line of text."""

import streamlit as st

st.write("Hello.")
