"""What else the same curve bounds: every kind of guess side by side, and a person singled out among many."""

import streamlit as st

from numerics.mechanisms import Adjacency
from pages.reconstruct.controls import ReconstructionSetting
from pages.ui import cached_reconstruction
from pages.ui.numbers_in_words import at_most, rounded_up
from pages.ui.prior_guess import Guessed, Known

_EVEN = 0.5


def draw(setting: ReconstructionSetting) -> None:
    """Draw the table, and what follows for a person singled out."""
    st.table(table(setting), hide_index=True)
    st.caption(
        "An attacker who knows more of the others guesses better beforehand: b must be what it can guess who knows all "
        "other records. Frequencies in the population are the least of that."
    )
    st.markdown(singled_out(setting, setting.choice.records))


def table(setting: ReconstructionSetting) -> dict[str, list[str]]:
    """A row for each kind of guess of the probability in force; a yes or no where the likelier answer has it."""
    prior, kinds = setting.prior, [Guessed.RECORD, Guessed.ATTRIBUTE, Guessed.PERSON]
    kinds += [Guessed.YES_OR_NO] if prior >= _EVEN else []
    found = {kind: cached_reconstruction.guessed_right(setting.release, Known(prior, "", kind)) for kind in kinds}
    return {
        "what is guessed": [str(kind) for kind in kinds],
        "b is": [_MEANINGS[kind] for kind in kinds],
        f"right at most, from b = {prior:.3g}": [rounded_up(one.upper, 4) for one in found.values()],
        "compared with the release": [_compared(setting, kind) for kind in kinds],
        "kind of number": [str(cached_reconstruction.bound(setting.release, Known(prior, "", kind))) for kind in kinds],
    }


_MEANINGS = {
    Guessed.RECORD: "the likeliest record, or those near enough",
    Guessed.ATTRIBUTE: "the commonest value, of any number",
    Guessed.PERSON: "1 / number of people",
    Guessed.YES_OR_NO: "the commoner answer, of two",
}


def _compared(setting: ReconstructionSetting, kind: Guessed) -> str:
    is_replaced = kind is Guessed.YES_OR_NO or setting.release.adjacency is Adjacency.REPLACE_ONE
    return "with another record in its place" if is_replaced else "without the record"


def singled_out(setting: ReconstructionSetting, records: int | None) -> str:
    """How often something true of exactly one of the records is found, in a sentence."""
    if records is None:
        return "**Singling out:** say how many records there are."
    found = cached_reconstruction.singled_out(setting.release, setting.prior, records)
    start = (
        f"**Singling out.** Something that is true of a fresh record with probability {setting.prior:.3g} is true of "
        f"exactly one of {records:,} records {at_most(found.guessed)} times, blindly."
    )
    if found.success.upper >= 1.0:
        return (
            f"{start} With the release nothing is promised: the bound n (1 − f(b)) says something for b far below 1/n."
        )
    return f"{start} With the release an attacker finds such a thing at most **{at_most(found.success.upper)}** times."
