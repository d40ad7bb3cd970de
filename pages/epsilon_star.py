"""Measure a trained model."""

import streamlit as st

st.title("Measure a trained model")
