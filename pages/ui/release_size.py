"""How large a release is: what attackers who know less are measured by, and full knowledge does not need.

None of it follows from rate and steps, so nothing is assumed: what nobody has said is None, and shown as "not set".
"""

from pages.ui.number_box import number_box, whole_box

KEYS = ("records", "dimension", "clip")
NOT_SET = "not set"
LARGEST_DIMENSION = 1_000_000_000
"""That of ``numerics.relaxed``, which the first page does without: a test keeps the two equal."""
CLIPS = 1e-6, 1e6
"""The least and the largest clipping norm that the controls have."""
_DIMENSION_HELP = (
    "Number of coordinates in which the release differs: parameters of the model. Full knowledge does not care, the "
    "other attackers do. Where it is not set, the relaxed attacker is computed in one dimension, its worst case."
)
_CLIP_HELP = "The clipping norm C of a record's gradient. Only the printed noise depends on it; all rates are the same."


def draw() -> None:
    """Draw the boxes of dimension and clipping norm."""
    whole_box("Dimension, d", "dimension", (1, LARGEST_DIMENSION), None, _DIMENSION_HELP, unset=NOT_SET)
    number_box("Clip, C", "clip", CLIPS, None, _CLIP_HELP, unset=NOT_SET)


def state_of(records: int | None, dimension: int | None, clip: float | None) -> dict[str, float | None]:
    """The boxes of this size, by key, where rate and steps are known; None empties a box."""
    return dict(
        zip(KEYS, (value if value is None else float(value) for value in (records, dimension, clip)), strict=True)
    )


def words(value: float | None) -> str:
    """A number that somebody said, or that nobody has."""
    return NOT_SET if value is None else f"{value:,}"
