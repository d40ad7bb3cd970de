"""Taking a result away: data, figures, the Python that prints the same numbers, and the page's address.

Everything is made from the objects that were drawn, so a file never disagrees with the page.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import streamlit as st

from numerics.trade_off import TradeOffCurve
from pages.ui import address, memo, uploads
from pages.ui.csv_tables import SOFTWARE, curve_table, curves_table
from pages.ui.memo import Memo
from plotting import standalone, static, theme
from reports.rounding import capitalised

Make = Callable[[], str | bytes]
"""Makes a file: text, or bytes where it is none."""

_WHERE = "# Run this in the folder of the project, which holds the packages numerics and losses.\n"
_MEDIA_TYPES = {
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "md": "text/markdown",
    "pdf": "application/pdf",
    "svg": "image/svg+xml",
    "png": "image/png",
}


@dataclass(frozen=True)
class Downloads:
    """What a page offers to take away; the files are made once they are asked for.

    Attributes:
        name: start of the files' names.
        figure: the figure that was drawn.
        python: the snippet that prints the same numbers.
        parameters: what the numbers are about, by name.
        curves: the drawn curves, the release's own first: they are the data, and bring their assumptions.
        table: makes the data (CSV) of a page whose data are no trade-off curves.
        others: make the data (CSV) of the page's other figures, by name.
        certificate: draws the form of the certificate, where the page has one.
        memo: what the one-page memo says, where the page has one.
        release: makes the release as JSON, to be read again here or by another program.
    """

    name: str
    figure: theme.Figure
    python: str
    parameters: Mapping[str, str]
    curves: Sequence[TradeOffCurve] = ()
    table: Make | None = None
    others: Mapping[str, Make] = field(default_factory=dict)
    certificate: Callable[[], None] | None = None
    memo: Memo | None = None
    release: Make | None = None

    @property
    def notes(self) -> dict[str, str]:
        """What stands with the figure: parameters and assumptions."""
        return dict(self.parameters) | {curve.label: " ".join(curve.assumptions) for curve in self.curves}

    @property
    def data(self) -> Make:
        """Makes the CSV of the figure."""
        if self.table is not None:
            return self.table
        if len(self.curves) == 1:
            return partial(curve_table, self.curves[0], self.parameters)
        return partial(curves_table, self.curves, self.parameters)

    @property
    def files(self) -> list[tuple[str, str, Make]]:
        """Every file: the words on its button, its name, and what makes it."""
        return [
            *([("Memo (HTML)", f"{self.name}-memo.html", self._memo(self.memo))] if self.memo else []),
            ("Data (CSV)", f"{self.name}.csv", self.data),
            ("Figure (HTML)", f"{self.name}.html", self._page),
            *([("Release (JSON)", "release.json", self.release)] if self.release else []),
            *self._images(),
            *(
                (f"{capitalised(what)} (CSV)", f"{self.name}-{what.replace(' ', '-')}.csv", make)
                for what, make in self.others.items()
            ),
        ]

    def _images(self) -> list[tuple[str, str, Make]]:
        """The figure as a paper takes it, one column wide; none of a figure that cannot be drawn so."""
        if static.refusal(self.figure):
            return []
        return [
            ("Figure (PDF)", f"{self.name}.pdf", lambda: static.pdf(self.figure, title=self.name)),
            ("Figure (SVG)", f"{self.name}.svg", lambda: static.svg(self.figure)),
            ("Figure (PNG)", f"{self.name}.png", lambda: static.png(self.figure)),
        ]

    def _memo(self, said: Memo) -> Make:
        return partial(memo.page, said, self.figure)

    def _page(self) -> str:
        return standalone.page(self.figure, self.name, SOFTWARE | self.notes)


def draw(offered: Downloads) -> None:
    """Draw the folded "Take it with you": link, data, figure and Python, which are sent once it is opened."""
    made = "link, memo, data" if offered.memo else "link, data"
    fold = st.expander(
        f"Take it with you: {made}, figure, Python", key=f"downloads.take_{offered.name}", on_change="rerun"
    )
    if not fold.open:
        return
    with fold:
        if uploads.address_rests_on_one():
            st.caption("This address restores the settings. The data is not in it: who opens it needs the file, too.")
        else:
            st.caption("This address restores the view.")
        st.code(address.permalink(), language=None, wrap_lines=True)
        with st.container(horizontal=True):
            for label, file, make in offered.files:
                button(label, file, make)
        first = "The memo prints on one page. " if offered.memo else ""
        st.caption(static.refusal(offered.figure) or f"{first}PDF, SVG and PNG are as wide as a column of a paper.")
        st.caption("The same numbers from Python:")
        st.code(f"{_WHERE}{offered.python}", language="python")
        if offered.certificate:
            offered.certificate()


def button(label: str, file: str, make: Make) -> None:
    """Draw the button that sends ``file``, which ``make`` makes when it is asked for."""
    media_type = _MEDIA_TYPES[file.rpartition(".")[2]]
    st.download_button(label, make, file, media_type, key=f"downloads.{file}", on_click="ignore")
