"""What somebody finds who does not know the record: trade-off curves, power, planted records (Kaissis et al. 2023)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial

import numpy as np

from numerics import approximations, relaxed, shipped
from numerics.audits import Attacker, Canary, OfflineAttack, Repeated, Scores, Training, collected, repeated
from numerics.audits.logit_space import Labels
from numerics.mechanisms import Gaussian, Laplace, SampledMechanism
from numerics.relaxed import RelaxedTest, asymptotics
from numerics.relaxed.generalised_ratio import GeneralisedRatioTest, LogGammaNoise, RatioStatistic
from numerics.trade_off import Bound, Floats, Order
from pages.papers import corrections, links
from pages.papers.question import Drawing, Knob, Link, Panel, Paper, Question, found, of_100, reads
from pages.server.shared_cache import shared_cache
from pages.ui import cached, cached_threat_models, release_curves
from plotting import theme
from plotting.lines import Dots, Line, LineAxis
from plotting.power import PowerCurve

PAPER = Paper(
    "000",
    "Kaissis, Kolek, Ziller, Riess and Rueckert",
    "2023",
    "Optimal privacy guarantees for a relaxed threat model",
)
GROUP = "Who knows less"
_question = partial(Question, GROUP, PAPER)
UNIT = (0.0, 1.0)
ERRORS = LineAxis("False positive rate α", ends=UNIT), LineAxis("False negative rate β", ends=UNIT)
BLIND = Line.guessing(UNIT, falls=True)
_KNOWN, _UNKNOWN = "f, full knowledge", "J, record unknown"
_EFFECTS = (0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)
_RATES = (0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0)


def _known(release: SampledMechanism) -> Line:
    """The curve of full knowledge, of both orders."""
    return Line.of_errors(_KNOWN, cached.trade_off(release, Order.SYMMETRIC), theme.KNOWS_ALL)


def _unknown(release: SampledMechanism, dimension: int, order: Order, name: str, symbol: str = "") -> Line:
    """A curve of who does not know the record."""
    curve = cached_threat_models.relaxed_curve(release, dimension, order, RelaxedTest.MINIMAX)
    return Line.of_errors(name, curve, theme.RECORD_UNKNOWN, symbol)


def _errors(lines: Sequence[Line], dots: Sequence[Dots] = ()) -> Drawing:
    return Drawing.of(ERRORS, lines, dots, BLIND)


def _family(release: SampledMechanism, dimension: float = 1, *more: Line) -> Drawing:
    """The paper's four, f, the pair j and its inverse, and J, which is on or below both; and ``more``."""
    lines = [
        _known(release),
        _unknown(release, int(dimension), Order.ADD, "j", "circle"),
        _unknown(release, int(dimension), Order.REMOVE, "j⁻¹", "square"),
        _unknown(release, int(dimension), Order.SYMMETRIC, _UNKNOWN),
    ]
    return _errors([*lines, *more])


def _one_release(kind: type[SampledMechanism], effect: float) -> Drawing:
    return _family(kind(1.0 / effect))


def _open_release(kind: type[SampledMechanism], effect: float) -> Link:
    return links.mechanism(kind(1.0 / effect))


def _missed(seen: Drawing) -> str:
    unknown, known = seen.at(_UNKNOWN, 0.1), seen.at(_KNOWN, 0.1)
    return (
        f"At α = 0.1 who does not know the record misses **{of_100(unknown)}** members, full knowledge "
        f"**{of_100(known)}**: not knowing it takes away {100 * (unknown - known) / (0.9 - known):.0f} % of what the "
        "release gives away."
    )


def _resilience(effect: float) -> Drawing:
    release, reference = Gaussian(1.0), cached.trade_off(Gaussian(1.0 / effect), Order.SYMMETRIC)
    known = cached.trade_off(release, Order.SYMMETRIC)
    unknown = cached_threat_models.relaxed_curve(release, 1, Order.SYMMETRIC, RelaxedTest.MINIMAX)
    held = "holds" if relaxed.detection_resilience(release, reference).resilient else "fails"
    lines = [
        Line.of_power(_KNOWN, known, theme.KNOWS_ALL),
        Line.of_power(_UNKNOWN, unknown, theme.RECORD_UNKNOWN),
        Line.of_power(f"λ: {held}", reference, theme.COMPARED[1], "cross"),
    ]
    ends = (1e-6, 1.0)
    axes = LineAxis("False positive rate α", log=True, ends=ends), LineAxis("Members found", log=True, ends=ends)
    return Drawing.of(axes, lines, blind=Line.guessing(ends))


def _verdict(seen: Drawing) -> str:
    if seen.names[-1].endswith("holds"):
        said = "is **resilient** to this reference λ: who does not know the record finds no more at any rate compared"
    else:
        said = "is **not resilient** to this reference λ: who does not know the record finds more at some rates"
    return f"The release {said}. Far out, not knowing the sign costs a factor of two in α, no more."


_BUYS = _question(
    "unknown-record",
    "What does not knowing the record buy?",
    (
        *(
            Panel(
                f"Fig. 1{letter}",
                f"{kind.name} noise, one release: full knowledge against an unknown record",
                Knob(f"Effect size Δ/{scale}", _EFFECTS, start),
                partial(_one_release, kind),
                _missed,
                partial(_open_release, kind),
                corrections=touching,
            )
            for letter, kind, scale, start, touching in (
                ("a", Laplace, "b", 0.6, (2, 6)),
                ("b", Laplace, "b", 1.5, (2, 5)),
                ("c", Gaussian, "σ", 0.6, (5, 3)),
                ("d", Gaussian, "σ", 1.5, (5,)),
            )
        ),
        Panel(
            "Def. 3",
            "λ-detection resilience of a Gaussian release",
            Knob("Effect size μ of the reference λ", (0.3, 0.5, 0.7, 0.8, 0.9, 1.0, 1.2), 0.7, is_printed=False),
            _resilience,
            _verdict,
            settings="Δ/σ = 1",
            corrections=(5,),
            ours="The paper defines λ-DR without a figure; release and references are ours.",
        ),
        *map(corrections.panel, (2, 3, 6)),
    ),
    finds="relaxed threat model RTM f-DP closed form envelope inverse detection resilience",
)


def _power(release: SampledMechanism, alpha: float, formula: Callable[[Floats], Line] | None = None) -> Drawing:
    def line(name: str, curve: PowerCurve, color: str, symbol: str = "") -> Line:
        return Line(name, curve.effect_size, curve.power, color, curve.bound, symbol)

    known = release_curves.power_against_effect(release, alpha, Order.ADD)
    unknown = cached_threat_models.relaxed_power_against_effect(release, alpha, Order.ADD, 1)
    lines = [
        line("full knowledge", known, theme.KNOWS_ALL),
        line("record unknown", unknown, theme.RECORD_UNKNOWN, "circle"),
        *([formula(known.effect_size)] if formula else []),
    ]
    return Drawing.of((LineAxis("Effect size Δ/σ", ends=(0.0, 4.0)), LineAxis("Members found", ends=UNIT)), lines)


def _paper_formula(rate: float, effects: Floats) -> Line:
    """The paper's curve of Fig. 2c: the central limit theorem, for one step."""
    alpha = np.array([1e-3])
    power = [float(approximations.clt(Gaussian(1.0 / one, rate), alpha).power[0]) if one else 1e-3 for one in effects]
    return Line("CLT, as the paper draws it", effects, np.array(power), theme.NEUTRAL, Bound.ESTIMATE, "x")


_STRONGER = _question(
    "stronger-signal",
    "How much stronger must the signal be to be found by who does not know it?",
    (
        Panel(
            "Fig. 2b",
            "Members found against the effect size, Gaussian noise on every record",
            Knob("False positive rate α", (1e-5, 1e-4, 1e-3, 1e-2, 5e-2, 0.1), 1e-3),
            partial(_power, Gaussian(1.0)),
            reads(
                "At Δ/σ = 3 full knowledge finds {} members, who does not know the record {}. Guessing the sign costs "
                "a factor of two in α, no more: the shift shrinks as α falls.",
                *(("full knowledge", 3.0), ("record unknown", 3.0)),
            ),
            partial(links.power, Gaussian(1.0)),
        ),
        Panel(
            "Fig. 2c",
            "Members found against the effect size, one sampled Gaussian step: exact, and the paper's curve, a CLT",
            Knob("Sampling rate p", (0.05, 0.1, 0.3, 0.5, 0.8, 1.0), 0.3),
            lambda rate: _power(Gaussian(1.0, rate), 1e-3, partial(_paper_formula, rate)),
            reads(
                "At Δ/σ = 2 full knowledge finds {} members; by the central limit theorem, whose formula the paper "
                "draws for this one step, {}. However strong the signal, who was not sampled cannot be seen.",
                *(("full knowledge", 2.0), ("CLT, as the paper draws it", 2.0)),
            ),
            lambda rate: links.power(Gaussian(1.0, rate), 1e-3),
            "α = 0.001",
            corrections=(14,),
            ours="The curves of either attacker are exact here; the paper's is the CLT's.",
        ),
    ),
    finds="power true positive rate",
)


def _sampled_steps(rate: float) -> Drawing:
    release = Gaussian(5.0, rate, 30)
    folded = cached_threat_models.relaxed_curve(release, 1, Order.ADD, RelaxedTest.FOLDED_STEPS)
    return _family(release, 1, Line.of_errors("folded steps", folded, theme.COMPARED[1]))


def _sampled_laplace(rate: float) -> Drawing:
    whole = _unknown(Laplace(1.0), 1, Order.SYMMETRIC, "J, every record", "cross")
    return _family(Laplace(1.0, rate), 1, replace(whole, color=theme.COMPARED[0]))


_SAMPLING = _question(
    "sampling",
    "What does sampling hide?",
    (
        Panel(
            "Fig. 5a",
            "Sampled Laplace noise: full knowledge against an unknown record",
            Knob("Sampling rate p", _RATES, 0.3),
            _sampled_laplace,
            reads(
                "At α = 0.1 who does not know the record misses {} members, and with every record in every step {}. In "
                "one step j is exactly a mixture: p parts of the unsampled j, and guessing for the rest.",
                *((_UNKNOWN, 0.1), ("J, every record", 0.1)),
            ),
            lambda rate: links.mechanism(Laplace(1.0, rate)),
            "Δ/b = 1",
            corrections=(14,),
        ),
        Panel(
            "Fig. 1e",
            "Several sampled Gaussian steps: full knowledge against an unknown record",
            Knob("Sampling rate p", (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0), 0.4),
            _sampled_steps,
            lambda seen: f"{_missed(seen)} Folded steps are one attack, not the best: no guarantee.",
            lambda rate: links.mechanism(Gaussian(5.0, rate, 30)),
            "Δ/σ = 0.2, 30 steps",
            corrections=(15,),
        ),
    ),
    finds="subsampling amplification Poisson folded statistic",
)


def _dimensions(dimension: float) -> Drawing:
    one = _unknown(Gaussian(1.0), 1, Order.SYMMETRIC, "J, d = 1", "cross")
    return _family(Gaussian(1.0), dimension, *([one] if dimension > 1 else []))


def _many_steps(dimension: float) -> Drawing:
    release = Gaussian(5.0, 1.0, 150)
    alpha, kappa = _known(release).x, release.steps / release.noise_multiplier**2
    formulas = [
        Line(f"Eq. 7, {name}", alpha, formula(alpha, kappa, dimension).beta, theme.COMPARED[1], Bound.ESTIMATE, symbol)
        for name, formula, symbol in (("left", asymptotics.scaled, "x"), ("right", asymptotics.shifted, "cross"))
    ]
    return _family(release, dimension, *formulas)


_HIDES = _question(
    "dimensions-and-steps",
    "Do many dimensions or steps hide a record?",
    (
        Panel(
            "Fig. 1f",
            "Gaussian noise in many dimensions: full knowledge against an unknown record",
            Knob("Dimension d", (1, 2, 5, 10, 30, 100, 300, 1000), 30),
            _dimensions,
            lambda seen: (
                f"{_missed(seen)} Full knowledge knows the direction: its curve is the same in all dimensions."
            ),
            lambda dimension: links.mechanism(Gaussian(1.0), int(dimension)),
            "Δ/σ = 1",
            corrections=(5, 11),
        ),
        Panel(
            "Fig. 2a",
            "Many Gaussian releases in many dimensions, with the formula of Eq. 7",
            Knob("Dimension d", (1, 3, 10, 30, 100, 300, 1000, 3000), 300),
            _many_steps,
            reads(
                "At α = 0.1 the two sides of Eq. 7 have {} and {} members missed, where {} are. Slide d to the left "
                "end: the releases are as many as before, but only the dimension makes the formula right.",
                *(("Eq. 7, left", 0.1), ("Eq. 7, right", 0.1), (_UNKNOWN, 0.1)),
            ),
            lambda dimension: links.mechanism(Gaussian(5.0, 1.0, 150), int(dimension)),
            "150 releases, Δ/σ = 1/5",
            corrections=(12, 13),
        ),
        *map(corrections.panel, (12, 13)),
    ),
    finds="Theorem 3 blessing of dimensionality composition normal form",
)


_ROUNDS, _AUDITS, _AUDITS_OF_MODELS, _SHADOWS, _SEED = 1024, 100, 16, 1024, 1
_STATED = np.linspace(0.05, 0.95, 19)


@shared_cache
def _canary(release: SampledMechanism, dimension: int) -> Scores:
    audit = Canary(release, Attacker.RELAXED, dimension)
    return Scores(*collected(audit.run(_AUDITS * _ROUNDS, _SEED)))


@cache
def _task() -> tuple[Floats, Labels, Floats]:
    """The shipped task: features with a constant, labels, and weights of a model trained without the first record."""
    rows = shipped.rows("one_feature_task")
    features = np.array([[float(row["feature"]), 1.0] for row in rows])
    labels = np.array([int(row["label"]) for row in rows])
    others = np.ones((1, len(labels)))
    others[0, 0] = 0.0
    training = Training(0.0, 400, 20.0, 1e6)  # without noise or clipping, to a loss of 0.02
    weights = training.run(features, labels, others, np.zeros((2, 2)), np.random.default_rng(_SEED))
    return features, labels, weights[0]


@shared_cache
def _logits(noise: float, knows_side: bool) -> Scores:
    features, labels, start = _task()
    attack = OfflineAttack(features, labels, (0,), Training(noise, 1), _SHADOWS, knows_side=knows_side, start=start)
    return Scores(*collected(attack.run(_AUDITS_OF_MODELS * _ROUNDS, _SEED)))


def _measured(name: str, audits: Repeated, color: str, symbol: str) -> Dots:
    return Dots(name, audits.alpha, audits.mean, color, audits.deviation, symbol)


def _planted(release: SampledMechanism, dimension: int = 1, other: Line | None = None) -> Drawing:
    """Both orders of the test, in theory and measured; beside full knowledge, or another line."""
    scores = _canary(release, dimension)
    lines = [
        other or _known(release),
        _unknown(release, dimension, Order.ADD, "j"),
        _unknown(release, dimension, Order.REMOVE, "j⁻¹", "square"),
    ]
    dots = [
        _measured("measured", repeated(scores, _AUDITS, _STATED), theme.MEASURED, "circle"),
        _measured("reversed", repeated(scores, _AUDITS, _STATED, Order.REMOVE), theme.MEASURED, "square-open"),
    ]
    return _errors(lines, dots)


def _planted_in_many(dimension: float) -> Drawing:
    one = _unknown(Gaussian(0.5), 1, Order.ADD, "j, d = 1", "cross")
    return _planted(Gaussian(0.5), int(dimension), replace(one, color=theme.COMPARED[0]))


def _logit(effect: float) -> Drawing:
    release = Gaussian(1.0 / effect)
    one, two = (repeated(_logits(1.0 / effect, side), _AUDITS_OF_MODELS, _STATED) for side in (True, False))
    dots = [
        _measured("one-sided attack", one, theme.MEASURED, "circle"),
        _measured("two-sided attack", two, theme.COMPARED[0], "square-open"),
    ]
    return _errors([_known(release), _unknown(release, 1, Order.ADD, "j, record unknown")], dots)


_SOURCE = (
    f"Points: mean and standard deviation of {_AUDITS} audits of {_ROUNDS:,} rounds each, computed on arrival with a "
    "fixed seed. The paper averages 1,024 audits and does not say how many rounds each has."
)
_PLANTED_EFFECTS = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
_AS_THEORY_HAS_IT = reads(
    "At α = 0.1 the attack finds {} members, and theory has {}. The magnitude of the gradient is the best that can be "
    "looked at without knowing the sign; more takes full knowledge.",
    *(found("measured", 0.1), found("j", 0.1)),
)


def _panel_of_canary(
    place: str, words: str, knob: Knob, make: Callable[[float], SampledMechanism], ours: str, at: str, *touching: int
) -> Panel:
    return Panel(
        *(place, f"A planted record, {words}", knob, lambda value: _planted(make(value)), _AS_THEORY_HAS_IT),
        lambda value: links.planted(make(value), 1),
        at,
        corrections=touching,
        ours=f"{_SOURCE}{ours}",
    )


_PLANTED = _question(
    "planted-record",
    "Does a planted record find what theory says?",
    (
        _panel_of_canary(
            "Fig. 3b",
            "unknown to the attacker, in one dimension",
            Knob("Effect size Δ/σ", _PLANTED_EFFECTS, 1.0),
            lambda effect: Gaussian(1.0 / effect),
            *("", "", 4, 5),
        ),
        Panel(
            "Fig. 3a",
            "Shadow models of one feature, trained for one step; the attack looks at one record's confidence",
            Knob("Effect size Δ/σ", _PLANTED_EFFECTS, 1.0),
            _logit,
            reads(
                "At α = 0.1 an attack that knows to which side the record pulls finds {} members, as full knowledge; "
                "one that looks at the distance alone {}, as j has it.",
                *(found("one-sided attack", 0.1), found("two-sided attack", 0.1)),
            ),
            corrections=(5,),
            ours="The task is the paper's (make_classification, 1,025 samples of one feature, one flipped, "
            f"{_SHADOWS:,} shadow models, one linear unit); the distance of its classes is ours. Mean and standard "
            f"deviation of {_AUDITS_OF_MODELS} audits of {_ROUNDS:,} models each way, trained on arrival.",
        ),
        Panel(
            "Fig. 3c",
            "A planted record in many dimensions, beside one dimension",
            Knob("Dimension d", (1, 2, 5, 10, 20, 50, 100), 50),
            _planted_in_many,
            _AS_THEORY_HAS_IT,
            lambda dimension: links.planted(Gaussian(0.5), int(dimension)),
            "Δ/σ = 2",
            corrections=(13,),
            ours=f"{_SOURCE} The paper takes a network with a latent space on the diabetes data: all its gradients but "
            "the planted one are known to the attacker and drop out, so what is measured has the same law here.",
        ),
        _panel_of_canary(
            "Fig. 5b",
            "Laplace noise",
            Knob("Effect size Δ/b", _PLANTED_EFFECTS, 1.0, is_printed=False),
            lambda effect: Laplace(1.0 / effect),
            *(" Nor does it say how much noise: the start is ours.", "", 2),
        ),
        _panel_of_canary(
            "Fig. 6",
            "which takes part only where it is sampled",
            Knob("Sampling rate p", _RATES, 0.3),
            lambda rate: Gaussian(1.0 / 1.5, rate),
            *(" Our copy has Δ₂/σ² = 1.5; it is read as Δ/σ.", "Δ/σ = 1.5", 14, 17),
        ),
    ),
    "Fewer audits than the paper's, run here.",
    "canary audit shadow models logit Monte Carlo",
)

_SHIFT = 1.5


def _generalised_ratio(shape: float) -> Drawing:
    lines, alpha = [], np.linspace(0.001, 0.999, 300)
    for statistic, name, color in (
        (RatioStatistic.UNRESTRICTED, "unrestricted, Eq. 26", theme.RECORD_UNKNOWN),
        (RatioStatistic.RESTRICTED, "restricted: two tests", theme.COMPARED[0]),
    ):
        test = GeneralisedRatioTest(LogGammaNoise(shape), _SHIFT, statistic)
        for side, words, symbol in ((1.0, "up", "triangle-up"), (-1.0, "down", "triangle-down")):
            beta = test.errors(alpha, side * _SHIFT).beta
            lines.append(Line(f"{name}, {words}", alpha, beta, color, Bound.EXACT, symbol))
    return _errors(lines)


_SKEWED = _question(
    "skewed-noise",
    "Is one clever test enough for skewed noise?",
    (
        Panel(
            "Lemma 5",
            "The generalised likelihood ratio test: its estimate restricted, as in the lemma's proof, and not",
            Knob("Shape k of the noise: skewed … normal", (0.5, 1, 2, 5, 20, 100, 1000), 1, is_printed=False),
            _generalised_ratio,
            reads(
                "With the estimate restricted to influences up to Δ, as in the lemma's proof, the generalised test is "
                "the two one-sided tests by definition: at α = 0.1 it misses {} records that pull down. With the "
                "unrestricted estimate of Eq. 26 it is another test and misses {}.",
                *(("restricted: two tests, down", 0.1), ("unrestricted, Eq. 26, down", 0.1)),
            ),
            corrections=(4,),
            ours=f"Noise is the logarithm of a Gamma variable, Δ = {_SHIFT:g} of its scale: both are ours.",
        ),
    ),
    "Noise ours; the paper has no figure of it.",
    "GLRT maximum likelihood asymmetric",
)

QUESTIONS = (_BUYS, _STRONGER, _SAMPLING, _HIDES, _PLANTED, _SKEWED)
