"""A figure drawn by Matplotlib: its plots, and as much room around them as their words need.

Matplotlib's own figures alone are used, never ``pyplot``, which keeps every figure for ever. Its settings are those of
the process; they are made once, here. No formula is ever read from a text: a dollar sign is a dollar sign.
"""

import re
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

from plotting import theme
from plotting.static import Size
from plotting.static.axes import PlotAxis
from plotting.static.legend import Legend
from plotting.static.looks import TEXT
from plotting.static.marks import Marks
from plotting.static.parts import FigureParts
from plotting.static.traces import Plot
from plotting.static.typography import known, wrapped
from plotting.static.words import words

mpl.rcParams.update(
    {
        "text.parse_math": False,
        "text.usetex": False,
        "axes.formatter.use_mathtext": False,
        "font.family": ["DejaVu Sans"],  # Matplotlib brings it along; it may be embedded
        "pdf.fonttype": 42,  # TrueType, which publishers take
        "svg.fonttype": "path",
        "svg.hashsalt": "privacy trade-offs",  # the same figure gives the same file
        "text.color": TEXT,
        "axes.edgecolor": TEXT,
        "axes.labelcolor": TEXT,
        "axes.axisbelow": True,
        "hatch.linewidth": 0.5,
        "path.simplify_threshold": 0.05,
    }
)

_DOTS = 300  # an inch
_LETTERS = 14.0  # pixels, of the page's own letters
_AROUND = 98.0  # pixels of a figure's height that are not the plot
_HEIGHT = 430.0  # pixels of a figure that does not say
_EDGE = 0.04  # inches
_LEAST = 0.45  # of the width, for the plot
_ROUNDS = 2  # of measuring: ticks may change with the room


def save(figure: theme.Figure, size: Size, kind: str, title: str) -> bytes:
    """The figure as a file of this ``kind``: pdf, png or svg."""
    drawn = composition(figure, size).composed()
    about: dict[str, dict[str, Any]] = {"pdf": {"CreationDate": None, "Title": title}, "svg": {"Date": None}}
    file = BytesIO()
    drawn.savefig(file, format=kind, dpi=_DOTS, facecolor="white", metadata=about.get(kind))
    return file.getvalue()


def composition(figure: theme.Figure, size: Size) -> "MatplotlibFigure":
    """The figure's parts, to be put together at this size."""
    parts = FigureParts.of(figure)
    drawn = Figure(figsize=(size.width, size.width), dpi=_DOTS)
    FigureCanvasAgg(drawn)
    return MatplotlibFigure(parts, size, drawn, {name: PlotAxis.of(name, parts) for name in parts.axes})


def inline(svg: str) -> str:
    """A file as an element: without prologue and sources, and with ids that no other drawing has."""
    element = svg[svg.index("<svg ") :]
    element = re.sub(r"<metadata>.*?</metadata>\s*", "", element, flags=re.DOTALL)
    element = re.sub(r"<style[^>]*>.*?</style>", "", element, flags=re.DOTALL)
    element = re.sub(r'^<svg [^>]*?viewBox="([^"]+)"[^>]*>', r'<svg viewBox="\1" stroke-linejoin="round">', element)
    own = f"f{sha256(element.encode()).hexdigest()[:10]}-"
    element = re.sub(r'\bid="', f'id="{own}', element)
    return re.sub(r'(href="|url\()#', rf"\1#{own}", element).replace("xlink:href", "href").strip()


@dataclass(frozen=True, eq=False)
class MatplotlibFigure:
    """The parts of a figure in one of Matplotlib's."""

    parts: FigureParts
    size: Size
    figure: Figure
    axes: dict[str, PlotAxis]

    @property
    def scale(self) -> float:
        """Points a pixel of the page."""
        return self.size.letters / _LETTERS

    @property
    def plot_height(self) -> float:
        """In inches."""
        pixels = float(self.parts.layout.get("height") or _HEIGHT) - _AROUND
        return self.size.plot or max(pixels, 40.0) * self.scale / 72.0

    def composed(self) -> Figure:
        """The whole figure, as high as it needs to be."""
        paper = self.figure.add_axes((0.0, 0.0, 1.0, 1.0), frameon=False, xticks=[], yticks=[], zorder=3)
        plots = self._plots()
        for index, trace in enumerate(self.parts.traces):
            names = trace.get("xaxis", "x"), trace.get("yaxis", "y")
            plots[names].draw(trace, index)
        marks = Marks(paper, plots, self.scale)
        for shape in self.parts.layout.get("shapes") or []:
            marks.shape(shape)
        for note in self.parts.layout.get("annotations") or []:
            marks.annotation(note)
        self._title(paper)
        self._limit(plots)
        legend = Legend.of(self.parts, self.figure, self.scale, self.size.width)
        self._arrange(paper, plots, legend)
        known(self.figure)
        return self.figure

    def _plots(self) -> dict[tuple[str, str], Plot]:
        pairs = dict.fromkeys((trace.get("xaxis", "x"), trace.get("yaxis", "y")) for trace in self.parts.traces)
        plots = {}
        for across, up in pairs or {("x", "y"): None}:
            axes = self.figure.add_axes((0.0, 0.0, 1.0, 1.0), label=f"{across}{up}")
            axes.set_facecolor("none")
            axes.spines[["top", "right"]].set_visible(False)
            labelled = []
            for own, other in ((across, up), (up, across)):
                axis = self.axes[own]
                first = next((pair[own[0] == "x"] for pair in pairs if own in pair), other)
                is_here = (axis.part.get("anchor") or first) == other
                labelled += [own] if is_here else []
                axis.dress(axes, self.scale, is_here)
            gap = float(self.parts.layout.get("bargap") or 0.2)
            plots[across, up] = Plot(axes, self.axes[across], self.axes[up], self.scale, tuple(labelled), gap)
        return plots

    def _limit(self, plots: dict[tuple[str, str], Plot]) -> None:
        """Set the limits anew: drawing may have widened them."""
        for plot in plots.values():
            plot.axes.set_xlim(*plot.x.ends)
            plot.axes.set_ylim(*plot.y.ends)

    def _title(self, paper: Axes) -> None:
        title = self.parts.layout.get("title") or {}
        if title.get("text"):
            said, size = words(title["text"]), (title.get("font") or {}).get("size", 15.0)
            paper.annotate(
                wrapped(said.text, self.figure, size * self.scale, self.size.width),
                (0.0, 1.0),
                xytext=(0.0, 5.0),
                textcoords="offset points",
                va="bottom",
                fontsize=size * self.scale,
                fontweight="bold" if said.is_bold else "normal",
            )

    def _names(self, plots: dict[tuple[str, str], Plot], room: Bbox) -> None:
        """What the axes show, in as many lines as they need."""
        for plot in plots.values():
            for axis, own, length in (
                (plot.x, plot.axes.xaxis, room.width),
                (plot.y, plot.axes.yaxis, room.height),
            ):
                title = axis.part.get("title") or {}
                title = {"text": title} if isinstance(title, str) else title
                if not title.get("text") or axis.part.get("visible") is False or axis.name not in plot.labelled:
                    continue
                share = axis.domain[1] - axis.domain[0]
                size = (title.get("font") or {}).get("size", 14.0) * self.scale
                text = wrapped(words(title["text"]).text, self.figure, size, length * share + 0.1)
                own.set_label_text(text, fontsize=size)
                own.labelpad = 3.0

    def _arrange(self, paper: Axes, plots: dict[tuple[str, str], Plot], legend: Legend) -> None:
        """Give the plots all the width that their words leave, and the figure the height that it needs."""
        room = Bbox.from_extents(0.6, 0.6, self.size.width - 0.1, 0.6 + self.plot_height)
        height = room.y1
        for _ in range(_ROUNDS):
            self._names(plots, room)
            self._place(paper, plots, room, height)
            seen = self._seen(paper, plots)
            left = min(max(room.x0 - seen.x0, 0.0), (1.0 - _LEAST) * self.size.width) + _EDGE
            right = min(max(seen.x1 - room.x1, 0.0), 0.25 * self.size.width) + _EDGE
            below = max(room.y0 - seen.y0, 0.0) + _EDGE + legend.height
            above = max(seen.y1 - room.y1, 0.0) + _EDGE
            room = Bbox.from_extents(left, below, self.size.width - right, below + self.plot_height)
            height = below + self.plot_height + above
        self._names(plots, room)
        self._place(paper, plots, room, height)
        legend.draw(self.figure, height)

    def _place(self, paper: Axes, plots: dict[tuple[str, str], Plot], room: Bbox, height: float) -> None:
        self.figure.set_size_inches(self.size.width, height)
        width = self.size.width
        for axes, x, y in (
            (paper, (0.0, 1.0), (0.0, 1.0)),
            *((plot.axes, plot.x.domain, plot.y.domain) for plot in plots.values()),
        ):
            axes.set_position(
                (
                    (room.x0 + x[0] * room.width) / width,
                    (room.y0 + y[0] * room.height) / height,
                    (x[1] - x[0]) * room.width / width,
                    (y[1] - y[0]) * room.height / height,
                )
            )

    def _seen(self, paper: Axes, plots: dict[tuple[str, str], Plot]) -> Bbox:
        """What everything takes, in inches."""
        renderer = self.figure.canvas.get_renderer()  # type: ignore[attr-defined]
        boxes = [axes.get_tightbbox(renderer) for axes in (paper, *(plot.axes for plot in plots.values()))]
        union = Bbox.union([box for box in boxes if box is not None])
        dots = self.figure.dpi
        return Bbox.from_extents(union.x0 / dots, union.y0 / dots, union.x1 / dots, union.y1 / dots)
