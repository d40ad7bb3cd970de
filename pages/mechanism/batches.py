"""How batches are drawn: what an accountant promises who takes them for Poisson's, beside what is known of loaders."""

from contextlib import suppress
from dataclasses import replace

import numpy as np
import streamlit as st

from numerics.deadline import UNLIMITED, Deadline
from numerics.mechanisms import Adjacency, Mechanism, Sampling
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, Bracket
from numerics.unsupported import UnsupportedError
from pages.server.shared_cache import shared_cache
from pages.ui import cached, chart, downloads, result_header, skipped
from pages.ui.numbers_in_words import EPSILON_DIGITS, as_entered, at_least, rounded_down, rounded_up
from pages.ui.release_in_force import ReleaseChoice
from pages.ui.result_header import Headline, crowd_for, words_for
from plotting.promises import OverNoise, batches_figure

_COARSE = Precision(width=1e-3, relative=0.02, is_remembered=False)
_FACTORS = (0.5, 0.7, 1.0, 1.4, 2.0, 2.8)  # times the release's own noise
_SHOWN = (Sampling.POISSON, Sampling.SHUFFLED, Sampling.RANDOM_ALLOCATION)
_CAPTION = (
    "The same steps, with batches drawn in three ways. Most accountants assume Poisson batches; most loaders shuffle. "
    "Of shuffled batches a guarantee and an attack are known: any promise below the attack is false. "
)


def is_sampled(release: Mechanism) -> bool:
    """Whether some step takes a part of the records only."""
    return any(phase.sampling_rate < 1.0 for phase in release.phases)


def drawn_as(release: Mechanism, sampling: Sampling) -> Mechanism:
    """The same steps with batches of this kind, about a record replaced, or else one that adds nothing.

    Raises ValueError where nothing is known of that.
    """
    replaced = release.adjacency is Adjacency.REPLACE_ONE
    return release.with_neighbours(Adjacency.REPLACE_ONE if replaced else Adjacency.ZERO_OUT, sampling)


def draw_promise(choice: ReleaseChoice) -> None:
    """Say beside batches that are not Poisson's what an accountant promises who takes them for such."""
    release = choice.mechanism
    others = {phase.sampling for phase in release.phases if phase.sampling_rate < 1.0} - {Sampling.POISSON}
    if not others:
        return
    with suppress(ValueError), skipped.if_no_time("what Poisson accounting says"):
        poisson = drawn_as(release, Sampling.POISSON)
        promised, known = (cached.epsilon(each, choice.delta) for each in (poisson, release))
        found = [cached.power(each, choice.alpha, choice.order) for each in (poisson, release)]
        words = f"{_promise(choice, promised, found[0])} {_known(choice, known, found[1])}"
        if known.lower > promised.upper:
            st.warning(f"{words} **The promise is false.**", icon=":material/warning:")
        else:
            st.info(words, icon=":material/info:")


def _promise(choice: ReleaseChoice, promised: Bracket, found: Bracket) -> str:
    return (
        f"An accountant that takes these batches for Poisson ones promises ε = **{rounded_up(promised.upper, 4)}** at "
        f"δ = {as_entered(choice.delta)}, {_most(choice, found)}."
    )


def _most(choice: ReleaseChoice, found: Bracket) -> str:
    """The guarantee, of the people that the picture counts."""
    return result_header.spoken(Headline.of(choice).clause(found))


def _known(choice: ReleaseChoice, known: Bracket, found: Bracket) -> str:
    """Both sides, where there are two."""
    release = choice.mechanism
    drawn = " and ".join(dict.fromkeys(phase.sampling.batches.words for phase in release.phases))
    most = f"ε is at most **{rounded_up(known.upper, EPSILON_DIGITS)}**, {_most(choice, found)}"
    if release.bound is not Bound.OPEN:
        return f"They are {drawn}: {most}."
    return (
        f"They are {drawn}. What is known: an attack shows that ε is at least "
        f"**{rounded_down(known.lower, 4)}**, at least {at_least(found.lower, crowd_for(choice.alpha)).count:,} "
        f"{words_for(choice.order).found}; {most}. "
        "Other attacks may reach more."
    )


@shared_cache
def over_noise(
    release: Mechanism,
    sampling: Sampling,
    delta: float,
    deadline: Deadline = UNLIMITED,
    *,
    precision: Precision = _COARSE,
) -> OverNoise:
    """Epsilon at ``delta`` for noise around the release's own, batches drawn so; raises ValueError where not known."""
    asked, drawn = replace(precision, deadline=deadline), drawn_as(release, sampling)
    noise = np.array([release.noise_multiplier * factor for factor in _FACTORS])
    found = [drawn.with_noise(float(one)).epsilon(delta, np.inf, asked) for one in noise]
    lower, _, upper = np.array(found).T
    return OverNoise(str(sampling), noise, lower, upper, drawn.bound)


def curves(choice: ReleaseChoice) -> tuple[list[OverNoise], list[str]]:
    """Those of every way to draw batches, and why one is missing."""
    found, missing = [], []
    for sampling in _SHOWN:
        try:
            with skipped.if_no_time(str(sampling)):
                found.append(over_noise(choice.mechanism, sampling, choice.delta))
        except UnsupportedError as reason:
            missing.append(str(reason))
        except ValueError as reason:
            missing.append(f"{str(reason)[0].upper()}{str(reason)[1:]}")
    return found, missing


def draw_figure(choice: ReleaseChoice) -> None:
    """Draw epsilon over the noise for every way to draw batches."""
    if not is_sampled(choice.mechanism):
        st.info("All records take part in every step: there are no batches to draw.", icon=":material/info:")
        return
    with st.spinner("Computing other batches and noise …", show_time=True):
        found, missing = curves(choice)
    if found:
        alt = "Epsilon over the noise: " + "; ".join(_in_words(one) for one in found)
        chart.draw(batches_figure(found, choice.mechanism.noise_multiplier, as_entered(choice.delta)), alt)
    st.caption(_CAPTION + " ".join(missing))


def _in_words(curve: OverNoise) -> str:
    at = _FACTORS.index(1.0)
    least, most = rounded_down(float(curve.lower[at]), 3), rounded_up(float(curve.upper[at]), 3)
    return f"{curve.name} at most {most}" + (f", an attack at least {least}" if curve.bound is Bound.OPEN else "")


def figure_table(choice: ReleaseChoice) -> str:
    """CSV of what ``draw_figure`` draws."""
    found, missing = curves(choice)
    columns = {
        "noise_multiplier": np.concatenate([one.noise for one in found]),
        "epsilon (at least: an attack)": np.concatenate([one.lower for one in found]),
        "epsilon (at most: a guarantee)": np.concatenate([one.upper for one in found]),
    }
    names = {"batches": [one.name for one in found for _ in one.noise]}
    header = {"release": choice.mechanism.label, "delta": f"{choice.delta!r}", "not known": " ".join(missing) or "none"}
    kinds = {"kind of bound": [one.bound.value for one in found for _ in one.noise]}
    return downloads.table({**names, **columns, **kinds}, header)
