"""What an accountant printed, or a release's file, as far as the sidebar's controls can have it.

``numerics.accountants`` reads it; a control would show its end for what lies beyond, and the page another release.
"""

from dataclasses import asdict

from numerics.accountants import StatedRelease, release_of
from numerics.deadline import looking_at
from numerics.mechanisms import SampledMechanism
from numerics.release_file import LONGEST
from pages.server import budget
from pages.ui.release_in_force import BATCHES, CLIPS, DELTAS, EPOCHS, NOISES, PEOPLE, SMALLEST_RATE, TrainingRun

_SECONDS = 1.0  # of what a page computes unasked
_OWN_OF_PHASES = {"noise_multiplier", "sampling_rate", "steps"}  # the rest is one control for all phases


def read(text: str) -> StatedRelease:
    """Read what was pasted; ValueError says what is not understood or cannot be entered, where, and what to do."""
    with budget.portion(_SECONDS), budget.current().counted(), looking_at(budget.current()):
        found = release_of(text)  # an epsilon in place of a noise is solved for
    for name, value, limits in (
        ("the number of people", found.records, PEOPLE),
        ("delta", found.delta, DELTAS),
        ("clip", found.clip, CLIPS),
        ("the batch size", found.batch, BATCHES),
        ("the number of epochs", found.epochs, EPOCHS),
    ):
        _refuse_beyond(name, value, limits)
    if any(_shared(one) != _shared(found.phases[0]) for one in found.phases):
        raise ValueError("phases with different noise or sampling cannot be entered together.")
    for place, one in enumerate(found.phases, 1):
        _refuse_beyond(f"noise of phase {place},", one.noise_multiplier, NOISES)
        _refuse_beyond(f"sampling rate of phase {place},", one.sampling_rate, (SMALLEST_RATE, 1.0))
    return found


def run_of(stated: StatedRelease) -> TrainingRun | None:
    """The run of batches and epochs that was stated, if it was stated so."""
    if stated.records is None or stated.batch is None or stated.epochs is None:
        return None
    return TrainingRun(stated.records, stated.batch, stated.epochs)


def _refuse_beyond(name: str, value: float | None, limits: tuple[float, float]) -> None:
    low, high = limits
    if value is not None and not low <= value <= high:
        raise ValueError(f"{name} {value:g} cannot be entered: the controls have {low:g} to {high:g}.")


def _shared(phase: SampledMechanism) -> dict[str, object]:
    """What all phases have in common where they are entered."""
    return {"name": phase.name} | {name: said for name, said in asdict(phase).items() if name not in _OWN_OF_PHASES}


def text_of(data: bytes) -> str:
    """The text of a release's file, of which a little more than can be read is looked at."""
    try:
        return data[: 4 * LONGEST + 4].decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError("the file is no text in UTF-8. Export the release anew.") from None
