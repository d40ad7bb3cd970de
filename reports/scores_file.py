"""What is said of a file with scores and a label in every row."""

from losses import Membership


def notes_on_scores(membership: Membership, negated: bool, dropped: int) -> tuple[str, ...]:
    """Which label means included and why, which scores speak for it, and how many rows were left out."""
    suspected = "small" if negated else "large"
    notes = (membership.said("included"), f"{suspected.capitalize()} numbers speak for that.")
    return (*notes, f"{dropped:,} rows that cannot be used were left out.") if dropped else notes
