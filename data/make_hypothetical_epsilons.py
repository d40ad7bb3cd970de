"""Make the shipped noises of paper 000 Section 7.3. See README.md beside this file.

Run from the project's folder: ``python -m data.make_hypothetical_epsilons``. About two minutes on one core.
"""

from numerics import shipped
from numerics.relaxed.curves import Reading
from numerics.relaxed.hypothetical import TABLE, TASKS, PublishedTask, sandwich

FLOORS = (1e-6, 1e-3)
COLUMNS = ("task", "reading", "smallest_alpha", "safe_noise", "bold_noise", "safe_epsilon", "bold_epsilon")
ABOUT = {
    "what": "noise at which an unknown record is as hard to detect as a known one at the task's noise, and its epsilon",
    "safe": "nobody finds more at any false positive rate from smallest_alpha on",
    "bold": "somebody finds as much at every one of them",
}


def row(task: PublishedTask, reading: Reading, floor: float) -> tuple[object, ...]:
    """A row of the table."""
    noise = sandwich(task.release, reading, floor)
    epsilons = (task.release.with_noise(each).epsilon(task.delta).estimate for each in noise)
    return (task.name, str(reading), floor, *noise, *epsilons)


def table() -> str:
    """All tasks, readings and floors."""
    cells = [row(task, reading, floor) for task in TASKS for reading in Reading for floor in FLOORS]
    return shipped.document(COLUMNS, cells, ABOUT)


if __name__ == "__main__":
    (shipped.DATA / f"{TABLE}.csv").write_text(table(), encoding="utf-8")
