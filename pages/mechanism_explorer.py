"""Explore a mechanism."""

import streamlit as st

st.title("Explore a mechanism")
