"""A figure as one HTML file that needs no network: Plotly's script is inside."""

from collections.abc import Mapping
from html import escape

from plotting import theme


def page(figure: theme.Figure, title: str, notes: Mapping[str, str]) -> str:
    """The file: ``title``, the figure on white, and ``notes`` (parameters, assumptions, version) below it."""
    body = theme.Figure(figure, skip_invalid=False)
    body = theme.dress(body, dark=False).update_layout(paper_bgcolor="#ffffff", plot_bgcolor="#ffffff")
    drawing = body.to_html(full_html=False, include_plotlyjs=True, config={"displaylogo": False})
    rows = "\n".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in notes.items())
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title>"
        "<style>body{font-family:sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#10171e}"
        "dt{font-weight:bold}</style></head>\n"
        f"<body><h1>{escape(title)}</h1>\n{drawing}\n<dl>\n{rows}\n</dl></body></html>\n"
    )
