"""Releases kept for comparison: up to four, in the session and, readable, in the page's address.

A pin is spelled ``Gaussian_1_0.01_1000_add`` (mechanism, noise, rate, steps, neighbours, ``k4`` where a person has four
records, and the parameters that only this mechanism has); ``~`` joins its phases and ``__`` joins pins. This is a
public format: old links hold it.
"""

from functools import lru_cache
from typing import Any

import streamlit as st

from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Mechanism, SampledMechanism, Sampling

LARGEST = 4
_PARAMETER = "pins"
_BETWEEN = "__"
_RECORDS = "k"
_KINDS = {kind.name: kind for kind in MECHANISMS}
_NEIGHBOURS = {
    "add": (Adjacency.ADD_REMOVE, Sampling.POISSON),
    "replace": (Adjacency.REPLACE_ONE, Sampling.POISSON),
    "zero": (Adjacency.ZERO_OUT, Sampling.POISSON),
    "fixed": (Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE),
    "shuffled-zero": (Adjacency.ZERO_OUT, Sampling.SHUFFLED),
    "shuffled-replace": (Adjacency.REPLACE_ONE, Sampling.SHUFFLED),
    "allocated-add": (Adjacency.ADD_REMOVE, Sampling.RANDOM_ALLOCATION),
    "allocated-zero": (Adjacency.ZERO_OUT, Sampling.RANDOM_ALLOCATION),
}
_LONGEST = 400  # characters of a pin that are read at all
_MOST_TEXTS = 100  # pins that are looked at


def spelled(release: Mechanism) -> str:
    """The release as it stands in the address.

    >>> from numerics.mechanisms import Gaussian
    >>> spelled(Gaussian(1.0, 0.01, 1000))
    'Gaussian_1_0.01_1000_add'
    """
    return "~".join(_spelled_phase(phase) for phase in release.phases)


def _spelled_phase(phase: SampledMechanism) -> str:
    word = next(word for word, meaning in _NEIGHBOURS.items() if meaning == (phase.adjacency, phase.sampling))
    release = f"{phase.name}_{_digits(phase.noise_multiplier)}_{_digits(phase.sampling_rate)}_{phase.steps}_{word}"
    records = f"_{_RECORDS}{phase.records_per_person}" if phase.records_per_person > 1 else ""
    own = (f"_{_digits(getattr(phase, each.name))}" for each in phase.parameters)
    return "".join((release, records, *own))


def _digits(value: float) -> str:
    """As few digits as read back as the same number."""
    return repr(float(value)).removesuffix(".0")


@lru_cache(maxsize=256)
def read(text: str) -> Mechanism | None:
    """The release that ``text`` spells; None where it spells none."""
    try:
        phases = tuple(_read_phase(part) for part in text[:_LONGEST].split("~"))
        return phases[0] if len(phases) == 1 else Composition(phases)
    except (ValueError, TypeError, KeyError):
        return None


def _read_phase(text: str) -> SampledMechanism:
    name, noise, rate, steps, neighbours, *own = text.split("_")
    kind = _KINDS[name]
    records = own.pop(0).removeprefix(_RECORDS) if own and own[0].startswith(_RECORDS) else "1"
    said: dict[str, Any] = {
        each.name: int(value) if each.is_whole else float(value)
        for each, value in zip(kind.parameters, own, strict=True)
    }
    return kind(float(noise), float(rate), int(steps), *_NEIGHBOURS[neighbours], int(records), **said)


def read_all(address: str) -> tuple[list[Mechanism], int]:
    """The releases of an address's ``pins``, and how many of its pins are left out: unreadable, or too many."""
    texts = address.split(_BETWEEN, _MOST_TEXTS) if address else []
    found = [release for release in map(read, texts) if release][:LARGEST]
    return found, len(texts) - len(found)


def pinned() -> list[Mechanism]:
    """The pinned releases. The first run of a session takes them from the address; later ones write them there."""
    address = st.query_params.get(_PARAMETER, "")
    if "pins.kept" not in st.session_state:
        found, left_out = read_all(address)
        st.session_state["pins.kept"] = found
        if left_out:
            st.toast(f"{left_out} of the pins in this address cannot be read, or are beyond {LARGEST}: left out.")
    kept: list[Mechanism] = st.session_state["pins.kept"]
    spelling = _BETWEEN.join(map(spelled, kept))
    # Writing sends the whole address as this run knows it, which puts back what the visitor has changed meanwhile.
    if spelling == address:
        return kept
    if spelling:
        st.query_params[_PARAMETER] = spelling
    else:
        del st.query_params[_PARAMETER]
    return kept


def pin(release: Mechanism) -> None:
    """Keep a release. For a button's ``on_click``."""
    st.session_state["pins.kept"] = [*st.session_state["pins.kept"], release][:LARGEST]


def unpin(index: int) -> None:
    """Forget the release at ``index``. For a button's ``on_click``."""
    st.session_state["pins.kept"] = [kept for i, kept in enumerate(st.session_state["pins.kept"]) if i != index]
