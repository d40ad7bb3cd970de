"""Names of widgets, of what the session keeps, and of what addresses say.

A name begins with where it is at home, so that no two places mean different things by one: ``audit.unit`` is drawn by
``pages/audit``, and ``tour.leave`` by ``pages/ui/tour.py``, on whatever page. A part of ``pages/ui`` that holds what
belongs to one page, such as an upload, takes the beginning from its caller (``audit.train_upload_0``). The few names
without one mean the same on every page: they are here.
"""

from numerics.mechanisms import LARGEST_PHASES
from pages.ui import estimates, figure_controls, release_controls

RELEASE = frozenset(release_controls.STARTS) | {
    f"{name}_{phase}" for name in ("noise", "rate", "steps") for phase in range(2, LARGEST_PHASES + 1)
}
"""The controls of the release."""

SHARED = RELEASE | frozenset(
    {
        *figure_controls.STARTS_OF_CURVE,
        *estimates.STARTS,
        *("how", "compare", "tour", "example", "uploaded"),
        *("answer", "levels", "people_found", "hills", "said"),  # of the package people_view
    }
)
"""All names without a beginning."""
