"""The questions, in the order in which they are found: six that teach best first, in groups."""

from types import MappingProxyType

from pages.papers import cost, gradients, guessing_records, measured_losses, membership, unknown_record

QUESTIONS = (
    *unknown_record.QUESTIONS,
    *cost.QUESTIONS,
    *guessing_records.QUESTIONS,
    *membership.QUESTIONS,
    *gradients.QUESTIONS,
    *measured_losses.QUESTIONS,
)
BY_KEY = MappingProxyType({one.key: one for one in QUESTIONS})
