"""The answer as a picture that moves: the verdict, the people and the evidence of a release at every noise nearby."""

from functools import lru_cache

import numpy as np

from numerics.trade_off import Bracket, Floats, Order
from pages.ui import noise_levels, release_in_force, remedies, result_header
from pages.ui.noise_levels import SLIDER_NOISES, NoiseLevel
from pages.ui.numbers_in_words import is_within
from pages.ui.release_in_force import ReleaseChoice
from pages.ui.remedies import NoAdvice
from pages.ui.result_header import Headline, words_for
from people_view import HEIGHT, PLACES, Hill, Hills, Level, Levels, Scene, Words
from plotting.evidence import DrawnHill, Evidence
from plotting.people import at_least, quantity

_JUST, _TWICE, _COUNTED = 1.15, 0.15, 10.0  # times the limit: just over; how near to twice; whole numbers from here


def scene(choice: ReleaseChoice, name: str, every: int = 1) -> Scene:
    """The picture of this release, for parts of that ``name``; ``every`` so many round values of the noise.

    With numbers of the noise in force and the advised one; those of the others come after it: see ``rest``.
    """
    advice = remedies.advised(choice)
    advised, why = (None, advice.value) if isinstance(advice, NoAdvice) else (advice, "")
    levels = noise_levels.levels(choice, advised, every)
    headline = Headline.of(choice)
    own = [level.noise for level in levels].index(choice.mechanism.noise_multiplier)
    return Scene(
        name=name,
        subject=_subject(choice),
        levels=tuple(drawn(level, choice) for level in levels),
        chosen=own,
        crowd=headline.crowd,
        guessed=round(choice.alpha * headline.crowd),
        limit=limit_count(choice.limit, headline.crowd),
        advised=advised,
        clears=choice.order is Order.REMOVE,
        words=_words(choice, advised, why.format(finds=words_for(choice.order).finds)),
    )


def is_known(choice: ReleaseChoice) -> bool:
    """Whether the answer takes no time worth a word: what a wait shows starts a thread in every run."""
    return noise_levels.level.knows(choice.mechanism, choice.alpha, choice.order, is_fine=True)


def rest(choice: ReleaseChoice, seen: Scene) -> Levels:
    """The levels at the round noises of a scene of this release, as far as there is time: after the page's answers.

    They do not depend on which noise is in force: Streamlit sends what a browser has already by its hash.
    """
    round_ones = [level.noise for level in seen.levels if level.noise in SLIDER_NOISES]
    found = noise_levels.completed(choice, round_ones)
    return Levels(seen.name, seen.subject, tuple(drawn(level, choice) for level in found))


def _subject(choice: ReleaseChoice) -> str:
    """The release and what is asked of it, whatever its noise: of a phase that counts as a multiple of the first's."""
    first = choice.mechanism.noise_multiplier
    phases = [
        (phase.name, {**vars(phase), "noise_multiplier": f"{phase.noise_multiplier / first:.6g}"})
        for phase in choice.mechanism.phases
    ]
    return repr((phases, choice.alpha, choice.order, choice.limit))


def sentence(seen: Scene) -> str:
    """What the picture says of the noise in force, as one who reads it hears it; in Markdown."""
    level, words = seen.levels[seen.chosen], seen.words
    if level.found is None:
        return f"How many can be {'ruled out' if seen.clears else 'found'} takes longer to compute."
    advice = f"{words.remedy} meets it." if seen.advised is not None else words.no_advice
    counted = f"{level.before} **{level.found:,}** of {seen.crowd:,} {words.after} ({words.luck})"
    return f"{counted}. {level.verdict}{f' {advice}' if level.over and advice else ''}"


def take_noise(noise: float) -> None:
    """Give the release this noise, in every phase in proportion. For the slider's callback."""
    release_in_force.put_noise(noise_levels.at_noise(release_in_force.current().mechanism, noise))


def drawn(level: NoiseLevel, choice: ReleaseChoice) -> Level:
    """One noise as it is drawn; the count is rounded up."""
    named = noise_levels.in_short(noise_levels.at_noise(choice.mechanism, level.noise))
    if level.found is None:
        return Level(level.noise, named)
    headline, bound = Headline.of(choice), choice.mechanism.bound
    most = Bracket.exact(level.found)
    found, over = headline.count(most, bound), not is_within(level.found, choice.limit)
    limit = limit_count(choice.limit, headline.crowd)
    said = verdict(found, limit, over)
    if level.reached is not None:
        said += f" A known attack {words_for(choice.order).finds} {at_least(level.reached, headline.crowd).count:,}."
    hills = None if level.evidence is None else _hills(level.evidence)
    return Level(level.noise, named, headline.before(most, bound), found, said, over, hills)


@lru_cache(maxsize=NoiseLevel.REMEMBERED)
def _hills(evidence: Evidence) -> Hills:
    """In whole numbers; those of a slider are asked for in every run of a page."""
    return Hills(_hill(evidence.outsiders), _hill(evidence.members), round(PLACES * evidence.threshold))


def _hill(drawn: DrawnHill) -> Hill:
    return Hill(
        _whole(drawn.places, PLACES),
        _whole(drawn.heights, HEIGHT),
        round(drawn.taller, 1),
        _whole(drawn.lines, PLACES),
        _whole(drawn.shares, HEIGHT),
        round(drawn.lot, 4),
    )


def _whole(values: Floats, unit: int) -> tuple[int, ...]:
    return tuple(np.rint(unit * values).astype(int).tolist())


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


def _words(choice: ReleaseChoice, advised: float | None, no_advice: str) -> Words:
    release, clears, headline = choice.mechanism, choice.order is Order.REMOVE, Headline.of(choice)
    said = words_for(choice.order)
    better = release if advised is None else noise_levels.at_noise(release, advised)
    several = len(release.phases) > 1
    return Words(
        after=headline.after,
        luck=headline.guessing,
        group=headline.whom,
        guessing=f"{headline.luck} {said.found} by guessing",
        more="more by the release",
        null="outsiders",
        alternative="people in the data",
        accused="← ruled out" if clears else "accused →",
        low="← like an outsider",
        high="like a member →",
        noise="All noise" if several else "Noise",
        remedy=remedies.remedy(release, better),
        other=f"Noise of {noise_levels.listed(better)}" if several else remedies.remedy(release, better),
        use=remedies.use(release, better),
        no_advice=no_advice,
        kind=release.bound.value,
        kind_help=dict(result_header.kinds())[release.bound],
    )
