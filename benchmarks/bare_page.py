"""The floor for a slider and for a cold start: one slider, one figure of the same size, Streamlit as it comes."""

import math

import streamlit as st

value = st.slider("Value", 1, 100, 50)
alpha = [i / 400 for i in range(401)]
lines = [[max(0.0, 1 - a ** (k / value)) for a in alpha] for k in range(1, 5)]
st.plotly_chart(
    {
        "data": [{"type": "scatter", "x": alpha, "y": line, "name": f"{k}"} for k, line in enumerate(lines)],
        "layout": {"xaxis": {"title": {"text": "x"}}, "yaxis": {"title": {"text": "y"}, "range": [0, math.e / 2]}},
    }
)
