"""Colours, dashes, words and the Plotly template: the one place where a figure's looks are decided.

Figures are built without knowing whether the page is light or dark. Every colour below has a contrast of at least 3:1
on both backgrounds, so lines, markers and shading keep their colour, and only text, grid and page change: those of the
template are a light page's, and in the browser they follow the page (``follows_page``).

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
ATTACKERS = (KNOWS_ALL, RECORD_UNKNOWN, DRAW_UNKNOWN, OTHERS_UNKNOWN)  # the first knows all but the noise

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
DOES_NOT_HOLD = "does not hold"

TEMPLATE = "privacy"
TEXT, GRID, PAGE = "#10171e", "#d5dbe1", "#ffffff"  # as .streamlit/config.toml has them
_FONT = '"Source Sans", "Source Sans Pro", -apple-system, "Segoe UI", Roboto, Arial, sans-serif'


def follows_page() -> str:
    """CSS by which letters and grid of all figures take the page's colours, also when those change while it is open.

    Plotly writes colours into every element, where the browser spells them as here. The server is not asked when a
    visitor's system turns dark.
    """
    text, grid, page = (
        f"rgb({int(one[1:3], 16)}, {int(one[3:5], 16)}, {int(one[5:], 16)})" for one in (TEXT, GRID, PAGE)
    )
    return f""".js-plotly-plot [style*="fill: {text}"] {{ fill: currentColor !important }}
.js-plotly-plot [style*="stroke: {text}"] {{ stroke: currentColor !important }}
.js-plotly-plot [style*="stroke: {grid}"] {{ stroke: currentColor !important; stroke-opacity: .17 !important }}
.js-plotly-plot .hoverlayer [style*="fill: {page}"] {{ fill: Canvas !important }}"""


# Pixels. At the left and below as much as axes with titles take: where that is too little, the browser lays a figure
# out a second time. At the right for half of the last label.
_MARGIN = {"l": 74, "r": 20, "t": 36, "b": 62}


def color(index: int) -> str:
    """Colour of the ``index``-th curve of a figure; repeats after ``len(COLORS)``."""
    return COLORS[index % len(COLORS)]


def compared(index: int) -> str:
    """Colour of the ``index``-th curve beside the one of the release; markers and dashes tell further ones apart."""
    return COMPARED[index % len(COMPARED)]


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


# Ticks are drawn outside so that small numbers stay clear of the curve.
_AXIS = {
    "gridcolor": GRID,
    "linecolor": TEXT,
    "zerolinecolor": GRID,
    "tickcolor": TEXT,
    "ticks": "outside",
    "showline": True,
    "automargin": True,
    "exponentformat": "power",  # otherwise small numbers end in "μ", which is a parameter here
    "title": {"standoff": 8},
}
pio.templates[TEMPLATE] = go.layout.Template(
    layout={
        "colorway": COLORS,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": _FONT, "size": 14, "color": TEXT},
        # More room below where labels need it, but not beside: the last label moves with a slider, and the figure
        # would be laid out twice each time.
        "xaxis": {**_AXIS, "automargin": "height"},
        "yaxis": _AXIS,
        "margin": _MARGIN,
        "title": {"font": {"size": 15}, "x": 0, "xanchor": "left"},
        "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": 1.02, "yanchor": "bottom"},
        "hovermode": "closest",
        "hoverlabel": {"bgcolor": PAGE, "bordercolor": GRID, "font": {"color": TEXT, "family": _FONT}},
        "annotationdefaults": {"font": {"color": TEXT}, "arrowcolor": TEXT, "showarrow": False},
        "shapedefaults": {"line": {"color": NEUTRAL, "width": 1}},
        "modebar": {"color": NEUTRAL, "activecolor": OUTSIDER, "bgcolor": "rgba(0,0,0,0)"},
    }
)
