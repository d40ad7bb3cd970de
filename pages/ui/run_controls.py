"""The run in the visitor's words: people, batch size and epochs, or the sampling rate and the steps."""

import streamlit as st

from numerics.mechanisms import LARGEST_STEPS, SampledMechanism
from pages.ui import release_details, release_size
from pages.ui.number_box import number_box, whole_box
from pages.ui.training_run import SMALLEST_RATE, TrainingRun, counted_steps

DEFAULT = TrainingRun(60_000, 600.0, 10.0)
_PEOPLE = 1, 1_000_000_000
_PEOPLE_HELP = "How many people's records the training data have."
_BATCH_HELP = "People in a batch, on average: each takes part in a step independently of the others."
_EPOCHS_HELP = "Passes over the data. Steps are epochs × people / batch size, rounded up to a whole number."


def draw(release: SampledMechanism) -> None:
    """Draw the boxes in which the switch says that the visitor speaks: three, whichever they are.

    ``release`` is what rate and steps start with.
    """
    kind = release_details.chosen_kind(type(release))
    unused, why = ("", "") if kind.is_sampled else (": all", kind.limits)
    if st.session_state["knows_rate"]:
        rate, meaning = f"Sampling rate{unused}", why or release_details.RATE_HELP
        number_box(rate, "rate", (SMALLEST_RATE, 1.0), release.sampling_rate, meaning, disabled=bool(unused))
        whole_box("Steps", "steps", (1, LARGEST_STEPS), release.steps, release_details.STEPS_HELP)
        whole_box("People, N", "records", _PEOPLE, None, _PEOPLE_HELP, unset=release_size.NOT_SET)
        return
    whole_box("People, N", "people", _PEOPLE, DEFAULT.people, _PEOPLE_HELP)
    size, meaning = f"Batch size{unused}", why or _BATCH_HELP
    number_box(size, "batch", (1e-6, _PEOPLE[1]), DEFAULT.batch, meaning, step=1.0, disabled=bool(unused))
    number_box("Epochs", "epochs", (1e-6, 1e9), DEFAULT.epochs, _EPOCHS_HELP, step=1.0)


def run(is_sampled: bool = True) -> TrainingRun:
    """The run that the boxes say; all take part in every release that is not sampled."""
    people, batch, epochs = (float(st.session_state[key]) for key in ("people", "batch", "epochs"))
    return TrainingRun(int(people), batch if is_sampled else people, epochs)


def people() -> int | None:
    """How many people there are; None where nobody has said it."""
    state = st.session_state
    said = state["records" if state["knows_rate"] else "people"]
    return None if said is None else int(said)


def derived(kind: type[SampledMechanism]) -> str:
    """What follows from what the visitor says."""
    state = st.session_state
    if not kind.is_sampled:
        steps = int(state["steps"]) if state["knows_rate"] else run(is_sampled=False).steps
        return f"Everybody takes part in every release: {counted_steps(steps)}."
    several = int(state["records_per_person"]) > 1
    records_count = " N and batches count records." if several else ""
    if not state["knows_rate"]:
        return f"That is a rate of {run().rate:.3g} and {counted_steps(run().steps)}.{records_count}"
    rate, steps, records = float(state["rate"]), int(state["steps"]), people()
    batches = "" if records is None else f", batches of {rate * records:,.6g}"
    return f"That is {steps * rate:,.6g} epochs{batches}.{records_count}"


def state_of(found: TrainingRun) -> dict[str, object]:
    """The boxes of this run, by key."""
    return {"people": float(found.people), "batch": found.batch, "epochs": found.epochs}
