"""A training run in an engineer's words: people, batch size and epochs, from which rate and steps follow."""

from dataclasses import dataclass
from math import ceil

from numerics.mechanisms import LARGEST_STEPS
from plotting.people import quantity

SMALLEST_RATE = 1e-7
_ROUNDING = 1e-9  # of a number of steps or people: what is left of a whole number after a division


@dataclass(frozen=True)
class TrainingRun:
    """People in the data (N), people in a batch (with Poisson sampling on average), passes over the data.

    Where a person may have several records, N and batches count records.
    """

    people: int
    batch: float
    epochs: float

    @classmethod
    def of(cls, rate: float, steps: int, people: int) -> "TrainingRun":
        """The run on so many people that has this sampling rate and these steps."""
        batch = rate * people
        whole = round(batch)
        return cls(people, float(whole) if abs(batch - whole) <= _ROUNDING * batch else batch, steps * rate)

    @property
    def rate(self) -> float:
        """Probability with which each person takes part in a step."""
        return self.batch / self.people

    @property
    def steps(self) -> int:
        """Noisy sums that are released, never fewer than were made.

        >>> TrainingRun(60_000, 256, 60).steps, TrainingRun(60_000, 600, 10).steps
        (14063, 1000)
        """
        return steps_of(self.epochs, self.rate)

    @property
    def words(self) -> str:
        """As it is entered.

        >>> TrainingRun(60_000, 600, 10).words
        '60,000 people in batches of 600, 10 epochs'
        """
        return f"{'1 person' if self.people == 1 else f'{self.people:,} people'}{self._batches}"

    def in_records(self, most: int) -> str:
        """The same where a person has several records, so many at most: then N counts records.

        >>> TrainingRun(60_000, 600, 10).in_records(4)
        '60,000 records, at most 4 per person, in batches of 600, 10 epochs'
        """
        records = "1 record" if self.people == 1 else f"{self.people:,} records"
        return f"{records}, at most {most:,} per person,{self._batches}"

    @property
    def _batches(self) -> str:
        return f" in batches of {quantity(self.batch)}, {counted_epochs(self.epochs)}"

    def refusal(self, counted: str = "people") -> str:
        """Why it cannot be computed, and what to do; empty if it can. ``counted`` is what N counts."""
        if self.batch > self.people:
            batch = quantity(self.batch)
            return f"A batch of {batch} is more than all {self.people:,} {counted}. Make the batch smaller."
        if self.rate < SMALLEST_RATE:
            return (
                f"A batch of {quantity(self.batch)} of {self.people:,} {counted} is a rate of {self.rate:.3g}, and the "
                f"smallest that can be computed is {SMALLEST_RATE:g}. Make the batch larger."
            )
        if self.steps > LARGEST_STEPS:
            return (
                f"{counted_epochs(self.epochs)} of {self.people:,} {counted} in batches of {quantity(self.batch)} are "
                f"{self.steps:,} steps, and the most that can be computed are {LARGEST_STEPS:,}. Make the batch larger "
                "or the epochs fewer."
            )
        return ""


def steps_of(epochs: float, rate: float) -> int:
    """Steps of so many epochs at this sampling rate; one that is begun counts as a whole one."""
    return max(ceil(epochs / rate * (1.0 - _ROUNDING)), 1)


def counted_steps(steps: int) -> str:
    """So many steps in words.

    >>> counted_steps(1), counted_steps(1000)
    ('1 step', '1,000 steps')
    """
    return "1 step" if steps == 1 else f"{steps:,} steps"


def counted_epochs(epochs: float) -> str:
    """So many passes over the data in words.

    >>> counted_epochs(1.0), counted_epochs(0.5)
    ('1 epoch', '0.5 epochs')
    """
    number = quantity(epochs)
    return f"{number} epoch{'' if number == '1' else 's'}"


def delta_of(people: int | None) -> float:
    """The delta that goes with so many people where none is set: the largest power of ten below 1 in N.

    1e-5 where nobody has said how many people there are.

    >>> delta_of(60_000), delta_of(1000), delta_of(None)
    (1e-05, 0.0001, 1e-05)
    """
    return 1e-5 if people is None else float(f"1e-{len(str(people))}")
