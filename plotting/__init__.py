"""Plain data in, Plotly figure out: no arithmetic and no Streamlit; colours and dashes come from ``theme``."""
