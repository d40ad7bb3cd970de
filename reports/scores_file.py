"""What is said of a file with scores and a label in every row."""

from losses import Membership
from losses.errors import quoted


def notes_on_scores(membership: Membership, negated: bool, dropped: int) -> tuple[str, ...]:
    """Which label counts as in and why, which scores speak for it, and how many rows were left out."""
    told = f"{quoted(membership.member)} in column {quoted(membership.column)} counts as in: {membership.why}."
    suspected = "small" if negated else "large"
    notes = (told, f"{suspected.capitalize()} numbers speak for that.")
    return (*notes, f"{dropped:,} rows that cannot be used were left out.") if dropped else notes
