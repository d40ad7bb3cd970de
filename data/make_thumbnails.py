"""Make the small pictures of the papers' figures: thumbnails/, one SVG a figure, drawn from the figure itself.

Run from the project's folder: ``python -m data.make_thumbnails`` for all, or with the figures' addresses for some, as
in ``python -m data.make_thumbnails 000-fig-1a 003-fig-3``.
"""

import sys

from pages.papers.figure import PICTURES, PaperFigure
from pages.papers.papers import BY_ADDRESS
from plotting.small_picture import small_picture


def made(entry: PaperFigure) -> str:
    """The picture of a figure as the paper has it."""
    return small_picture(entry.draw(entry.start).figure)


if __name__ == "__main__":
    for address in sys.argv[1:] or list(BY_ADDRESS):
        (PICTURES / f"{address}.svg").write_text(made(BY_ADDRESS[address]), encoding="utf-8")
