"""The answer as a picture that moves: the verdict, the people and the evidence of a release at every noise nearby."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from numerics.trade_off import Order
from pages.ui import advised_noise, noise_levels, readout, release_controls
from pages.ui.advised_noise import NoAdvice
from pages.ui.noise_levels import EVIDENCE, SLIDER_NOISES, Evidence, LevelQuestion, NoiseLevel
from pages.ui.order_words import words_for
from pages.ui.release_choice import ReleaseChoice
from people_view import HEIGHT, Hills, Level, Levels, Scene, Words
from plotting.people import CROWD, at_least, count_up, quantity

_JUST, _TWICE, _COUNTED = 1.15, 0.15, 10.0  # times the limit: just over; how near to twice; whole numbers from here
_LARGEST_CROWD = 10**10
_AXIS = (float(EVIDENCE[0]), float(EVIDENCE[-1]))


def scene(choice: ReleaseChoice, name: str, every: int = 1) -> Scene:
    """The picture of this release, for parts of that ``name``; ``every`` so many round values of the noise.

    With numbers of the noise in force and the advised one; those of the others come after it: see ``rest``.
    """
    question = _question(choice)
    advice = advised_noise.advised(choice.mechanism, question)
    advised, why = (None, advice.value) if isinstance(advice, NoAdvice) else (advice, "")
    levels = noise_levels.levels(choice.mechanism, question, advised, every)
    crowd = crowd_for(choice.alpha)
    own = [level.noise for level in levels].index(choice.mechanism.noise_multiplier)
    return Scene(
        name=name,
        subject=_subject(choice),
        levels=tuple(drawn(level, question, crowd) for level in levels),
        chosen=own,
        crowd=crowd,
        guessed=round(choice.alpha * crowd),
        limit=limit_count(choice.limit, crowd),
        advised=advised,
        clears=choice.order is Order.REMOVE,
        axis=_AXIS,
        words=_words(choice, why.format(finds=words_for(choice.order).finds)),
    )


def is_known(choice: ReleaseChoice) -> bool:
    """Whether the answer takes no time worth a word: what a wait shows starts a thread in every run."""
    return noise_levels.level.knows(choice.mechanism, choice.alpha, choice.order, is_fine=True)


def rest(choice: ReleaseChoice, seen: Scene) -> Levels:
    """The levels at the round noises of a scene of this release, as far as there is time: after the page's answers.

    They do not depend on which noise is in force: Streamlit sends what a browser has already by its hash.
    """
    question = _question(choice)
    round_ones = [level.noise for level in seen.levels if level.noise in SLIDER_NOISES]
    found = noise_levels.completed(choice.mechanism, question, round_ones)
    return Levels(seen.name, seen.subject, tuple(drawn(level, question, seen.crowd) for level in found))


def _question(choice: ReleaseChoice) -> LevelQuestion:
    return LevelQuestion(choice.alpha, choice.order, choice.limit)


def _subject(choice: ReleaseChoice) -> str:
    """The release and what is asked of it, whatever its noise: of a phase that counts as a multiple of the first's."""
    first = choice.mechanism.noise_multiplier
    phases = [
        (phase.name, {**vars(phase), "noise_multiplier": f"{phase.noise_multiplier / first:.6g}"})
        for phase in choice.mechanism.phases
    ]
    return repr((phases, _question(choice)))


def sentence(seen: Scene) -> str:
    """What the picture says of the noise in force, as one who reads it hears it; in Markdown."""
    level, words = seen.levels[seen.chosen], seen.words
    if level.found is None:
        return f"How many can be {'ruled out' if seen.clears else 'found'} takes longer to compute."
    meets = f" Noise {seen.advised:g} meets it." if level.over and seen.advised is not None else ""
    advice = meets or (f" {words.no_advice}" if level.over and words.no_advice else "")
    return f"{words.before} **{level.found:,}** of {seen.crowd:,} {words.after}. {level.verdict}{advice}"


def take_noise(noise: float) -> None:
    """Give the release this noise, in every phase in proportion. For the slider's callback."""
    release_controls.put_noise(noise_levels.at_noise(release_controls.current().mechanism, noise))


def crowd_for(alpha: float) -> int:
    """People that are counted: 10,000, and more only where guessing would find nobody of them."""
    crowd = CROWD
    while round(alpha * crowd) < 1 and crowd < _LARGEST_CROWD:
        crowd *= 10
    return crowd


def drawn(level: NoiseLevel, question: LevelQuestion, crowd: int) -> Level:
    """One noise as it is drawn; the count is rounded up."""
    if level.found is None:
        return Level(level.noise)
    found = count_up(level.found, crowd)
    over = not question.is_kept(level.found)
    said = f"{verdict(found, limit_count(question.limit, crowd), over)}{_reached(level, question, crowd)}"
    hills = None if level.evidence is None else _hills(level.evidence)
    return Level(level.noise, found, said, over, hills)


@lru_cache(maxsize=NoiseLevel.REMEMBERED)
def _hills(evidence: Evidence) -> Hills:
    """In whole numbers; those of a slider are asked for in every run of a page."""
    outsiders, members = (
        tuple(np.rint(HEIGHT * one).astype(int).tolist()) for one in (evidence.outsiders, evidence.members)
    )
    return Hills(outsiders, members, round(evidence.threshold, 4))


def _reached(level: NoiseLevel, question: LevelQuestion, crowd: int) -> str:
    """What a known attack does, where that is less than the guarantee."""
    if level.reached is None:
        return ""
    return f" A known attack {words_for(question.order).finds} {at_least(level.reached, crowd).count:,}."


def verdict(found: int, limit: float, over: bool) -> str:
    """How the count compares with the limit; one that keeps it may be above it by its rounding.

    >>> verdict(41, 20, over=True)
    'Twice your limit of 20.'
    """
    said = f"your limit of {quantity(limit)}"
    if not over:
        return f"Within {said}." if found <= limit else f"Within {said} before the count is rounded up."
    times = found / limit
    if times < _JUST:
        return f"Just over {said}."
    if abs(times - 2.0) < _TWICE:
        return f"Twice {said}."
    return f"{f'{times:.1f}' if times < _COUNTED else f'{times:,.0f}'} times {said}."


def limit_count(limit: float, crowd: int) -> float:
    """How many of a crowd a limit permits, whole where it is a whole number."""
    count = round(limit * crowd, 6)
    return int(count) if count == int(count) else count


def _words(choice: ReleaseChoice, no_advice: str) -> Words:
    bound, most = choice.mechanism.bound, choice.mechanism.records_per_person
    whose = f" with {most:,} records each" if most > 1 else ""
    whose_briefly = f" with {most:,} records" if most > 1 else ""
    words = Words(
        before="At most",
        after=f"people{whose} can be found",
        after_briefly=f"people{whose_briefly} found",
        group=f"people{whose} in the data",
        guessing="found by blind guessing",
        more="more because of the release",
        null="outsiders",
        alternative="people in the data",
        accused="accused →",
        low="← looks like an outsider",
        high="looks like a member →",
        no_advice=no_advice,
        kind=bound.value,
        kind_help=dict(readout.kinds())[bound],
    )
    if choice.order is not Order.REMOVE:
        return words
    return replace(
        words,
        after=f"people{whose} outside the data can be ruled out",
        after_briefly=f"outsiders{whose_briefly} ruled out",
        group=f"people{whose} outside the data",
        guessing="ruled out by blind guessing",
        accused="← ruled out",
    )
