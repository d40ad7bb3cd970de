"""What there is once a process: caches, sessions, the start, and what is replaced in Streamlit."""
