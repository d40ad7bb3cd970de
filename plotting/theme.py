"""Colours, dashes, words and the Plotly templates: the one place where a figure's looks are decided.

Figures are built without knowing whether the page is light or dark. Every colour below has a contrast of at least 3:1
on both backgrounds, so lines, markers and shading keep their colour, and only text and grid change. Figures name the
light template; ``dress`` puts the page's own in its place when one is shown.

Colour is never the only sign: the dash tells the kind of bound, and curves of one figure differ by marker too.
"""

from types import MappingProxyType

import plotly.graph_objects as go
import plotly.io as pio

from numerics.trade_off import Bound

Figure = go.Figure  # for the pages, which do not import Plotly

# Four hues (after Okabe and Ito 2008) that stay apart under protanopia, deuteranopia and tritanopia; a test checks it.
COLORS = ("#0077bb", "#d55e00", "#009e73", "#cc5c9f")
MARKERS = ("circle", "square", "diamond", "cross")
NEUTRAL = "#7a828c"  # chance line, reference lines, shading that means nothing in particular

# Fixed meanings, so that a colour says the same on every page.
OUTSIDER = COLORS[0]  # the null hypothesis: the record is not in the training data
MEMBER = COLORS[1]  # the alternative: the record is in the training data, and what a release gives away of it
COMPARED = COLORS[2:]  # what stands beside the release in force: a second one, and estimates of it

MEASURED = COLORS[3]  # what samples show, with confidence or by an estimate

# One attacker each, named by what it does not know. They stay apart from each other as the four above do, and are no
# shades of them: an attacker is neither an outsider nor a member.
KNOWS_ALL = "#855cd6"
RECORD_UNKNOWN = "#0095b2"
DRAW_UNKNOWN = "#998000"
OTHERS_UNKNOWN = "#d1475e"
ATTACKERS = (KNOWS_ALL, RECORD_UNKNOWN, DRAW_UNKNOWN, OTHERS_UNKNOWN)

DASH = MappingProxyType(
    {
        Bound.EXACT: "solid",
        Bound.CERTIFIED: "solid",
        Bound.LOWER: "dash",
        Bound.UPPER: "dashdot",
        Bound.OPEN: "longdashdot",
        Bound.ESTIMATE: "dot",
        Bound.AUDIT: "longdash",
    }
)

# A formula that does not hold is dotted as estimates are, and marked with crosses besides.
NOT_VALID = COLORS[1]
NOT_VALID_DASH = "dot"

LIGHT = "privacy-light"
DARK = "privacy-dark"

_FONT = '"Source Sans", "Source Sans Pro", -apple-system, "Segoe UI", Roboto, Arial, sans-serif'


def template(dark: bool = False) -> str:
    """Name of the registered template for a light or a dark page."""
    return DARK if dark else LIGHT


def dress(figure: Figure, dark: bool) -> Figure:
    """Give ``figure`` the template of a light or a dark page, in place, and return it."""
    figure.layout.template = pio.templates[template(dark)]
    return figure


# Pixels. At the left and below as much as axes with titles take: where that is too little, the browser lays a figure
# out a second time. At the right for half of the last label.
_MARGIN = {"l": 74, "r": 20, "t": 36, "b": 62}


def color(index: int) -> str:
    """Colour of the ``index``-th curve of a figure; repeats after ``len(COLORS)``."""
    return COLORS[index % len(COLORS)]


def compared(index: int) -> str:
    """Colour of the ``index``-th curve beside the one of the release; markers and dashes tell further ones apart."""
    return COMPARED[index % len(COMPARED)]


def attacker(index: int) -> str:
    """Colour of an attacker, by how much it knows: 0 knows all but the noise."""
    return ATTACKERS[index]


def marker(index: int) -> str:
    """Marker symbol of the ``index``-th curve of a figure; repeats with the colours."""
    return MARKERS[index % len(MARKERS)]


def shade(hex_color: str, opacity: float = 0.18) -> str:
    """The colour made transparent, for bands and areas: ``#rrggbb`` to ``rgba(...)``."""
    red, green, blue = (int(hex_color[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity:g})"


def legend_name(label: str, bound: Bound) -> str:
    """What the legend calls a curve: its label and its kind of bound in words."""
    return f"{label} ({bound.value})"


def _axis(text: str, grid: str) -> dict[str, object]:
    """Settings of either axis; ticks are drawn outside so that small numbers stay clear of the curve."""
    return {
        "gridcolor": grid,
        "linecolor": text,
        "zerolinecolor": grid,
        "tickcolor": text,
        "ticks": "outside",
        "showline": True,
        "automargin": True,
        "exponentformat": "power",  # otherwise small numbers end in "μ", which is a parameter here
        "title": {"standoff": 8},
    }


def _template(text: str, grid: str, surface: str) -> go.layout.Template:
    """The template for text of colour ``text`` on a page of colour ``surface``."""
    return go.layout.Template(
        layout={
            "colorway": COLORS,
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"family": _FONT, "size": 14, "color": text},
            # More room below where labels need it, but not beside: the last label moves with a slider, and the figure
            # would be laid out twice each time.
            "xaxis": {**_axis(text, grid), "automargin": "height"},
            "yaxis": _axis(text, grid),
            "margin": _MARGIN,
            "title": {"font": {"size": 15}, "x": 0, "xanchor": "left"},
            "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"},
            "hovermode": "closest",
            "hoverlabel": {"bgcolor": surface, "bordercolor": grid, "font": {"color": text, "family": _FONT}},
            "annotationdefaults": {"font": {"color": text}, "arrowcolor": text, "showarrow": False},
            "shapedefaults": {"line": {"color": NEUTRAL, "width": 1}},
            "modebar": {"color": NEUTRAL, "activecolor": text, "bgcolor": "rgba(0,0,0,0)"},
        }
    )


# Text, grid and page colours are those of .streamlit/config.toml.
pio.templates[LIGHT] = _template(text="#10171e", grid="#d5dbe1", surface="#ffffff")
pio.templates[DARK] = _template(text="#e6eaee", grid="#36414c", surface="#12171d")
