"""What Hypothesis draws: parameters over many orders of magnitude, and mechanisms of every kind."""

import numpy as np
from hypothesis import strategies as st

from numerics.mechanisms import MECHANISMS, Adjacency, Composition, SampledMechanism, Sampling
from tests.secant import Secant

KINDS: tuple[type[SampledMechanism], ...] = (*MECHANISMS, Secant)
"""Laws hold for a mechanism that nobody has thought of, too."""
SAMPLED = tuple(kind for kind in KINDS if kind.is_sampled)
KNOWN = tuple(kind for kind in MECHANISMS if kind.noise_law is not None and kind.noise_law.standard is not None)
"""Those whose noise says all that any operation asks of it."""

NEIGHBOURS = (
    (Adjacency.ADD_REMOVE, Sampling.POISSON),
    (Adjacency.REPLACE_ONE, Sampling.POISSON),
    (Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE),
    (Adjacency.REPLACE_ONE, Sampling.SHUFFLED),
    (Adjacency.ZERO_OUT, Sampling.SHUFFLED),
)


def log_uniform(low: float, high: float) -> st.SearchStrategy[float]:
    """Numbers between ``low`` and ``high``, evenly on a log scale."""
    return st.floats(np.log(low), np.log(high)).map(lambda x: float(np.clip(np.exp(x), low, high)))


def offered(
    kind: type[SampledMechanism], noise: float, rate: float, steps: int, neighbours: tuple[Adjacency, Sampling]
) -> SampledMechanism:
    """Of this kind; not sampled, or with the neighbours that it needs, where it is not known otherwise."""
    adjacency, sampling = neighbours
    if adjacency not in kind.adjacencies or sampling not in kind.samplings:
        adjacency, sampling = kind.adjacencies[0], Sampling.POISSON
    return kind(noise, rate if kind.is_sampled else 1.0, steps, adjacency, sampling)


def single(
    noise: tuple[float, float] = (1e-2, 1e3), largest_steps: int = 2000, lowest_rate: float = 1e-4
) -> st.SearchStrategy[SampledMechanism]:
    """One phase of any mechanism, sampled or not."""
    return st.builds(
        offered,
        st.sampled_from(KINDS),
        log_uniform(*noise),
        st.one_of(st.just(1.0), log_uniform(lowest_rate, 1.0)),
        log_uniform(1.0, float(largest_steps)).map(round),
        st.sampled_from(NEIGHBOURS),
    )


def people(largest_steps: int = 300) -> st.SearchStrategy[SampledMechanism]:
    """A release of a person with several records, whose noise is as large beside all of them."""
    return st.builds(
        lambda kind, noise, rate, steps, adjacency, records: kind(
            noise * records, rate, steps, adjacency, records_per_person=records
        ),
        st.sampled_from([kind for kind in KINDS if kind.several_records]),
        log_uniform(0.3, 50.0),
        st.one_of(st.just(1.0), log_uniform(1e-4, 0.9)),
        log_uniform(1.0, float(largest_steps)).map(round),
        st.sampled_from(Adjacency),
        st.integers(2, 12),
    )


def phases() -> st.SearchStrategy[Composition]:
    """Two or three phases that share their adjacency."""
    few = st.lists(single(noise=(0.3, 100.0), largest_steps=200), min_size=2, max_size=3)
    return few.filter(lambda parts: len({part.adjacency for part in parts}) == 1).map(lambda x: Composition(tuple(x)))


def mechanisms() -> st.SearchStrategy[SampledMechanism | Composition]:
    """Any mechanism, of one phase or several."""
    return st.one_of(single(), single(), phases())
