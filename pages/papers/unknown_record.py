"""What somebody finds who does not know the record: trade-off curves, power, planted records (Kaissis et al. 2023)."""

from functools import partial

import numpy as np

from numerics import approximations, relaxed
from numerics.audits import Attacker, Canary, OfflineAttack, Scores, Training, collected, repeated
from numerics.mechanisms import Gaussian, Laplace, SampledMechanism
from numerics.relaxed import RelaxedTest, asymptotics
from numerics.relaxed.generalised_ratio import GeneralisedRatioTest, LogGammaNoise, RatioStatistic
from numerics.trade_off import Bound, Order
from pages.papers import corrections, links
from pages.papers.question import Drawing, Drawn, Knob, Panel, Paper, Question, shipped_columns
from pages.server.shared_cache import shared_cache
from pages.ui import cached, comparison, threat_models
from pages.ui.catalog import ATTACKERS, MECHANISM
from pages.ui.chart import SecondFigure
from plotting import theme
from plotting.curves import Axes
from plotting.lines import Dots, Line, LineAxis

PAPER = Paper(
    "000",
    "Kaissis, Kolek, Ziller, Riess and Rueckert",
    "2023",
    "Optimal privacy guarantees for a relaxed threat model",
)
_question = partial(Question, "Who knows less", PAPER)
UNIT = (0.0, 1.0)
ERRORS = LineAxis("False positive rate α", ends=UNIT), LineAxis("False negative rate β", ends=UNIT)
BLIND = Line.guessing(UNIT, falls=True)
_KNOWN, _UNKNOWN = "f, full knowledge", "J, record unknown"
_RELAXED = {"mechanism.relaxed": True}
_BESIDE = theme.COMPARED[0]  # of another release


def _known(release: SampledMechanism) -> Line:
    """The curve of full knowledge, of both orders."""
    return Line.of_errors(_KNOWN, cached.trade_off(release, Order.SYMMETRIC), theme.KNOWS_ALL)


def _unknown(
    release: SampledMechanism,
    dimension: float = 1,
    order: Order = Order.SYMMETRIC,
    name: str = _UNKNOWN,
    symbol: str = "",
    color: str = theme.RECORD_UNKNOWN,
) -> Line:
    """A curve of who does not know the record."""
    curve = threat_models.relaxed_curve(release, int(dimension), order, RelaxedTest.MINIMAX)
    return Line.of_errors(name, curve, color, symbol)


def _errors(release: SampledMechanism, dimension: float = 1, *more: Line) -> Drawing:
    """The paper's four, f, the pair j and its inverse, and J, which is on or below both; and ``more``."""
    lines = [
        _known(release),
        _unknown(release, dimension, Order.ADD, "j", "circle"),
        _unknown(release, dimension, Order.REMOVE, "j⁻¹", "square"),
        _unknown(release, dimension),
    ]
    link = links.shown(MECHANISM, release, _RELAXED, dimension=int(dimension))
    return Drawing.of(ERRORS, [*lines, *more], link, BLIND)


def _missed(seen: Drawing, then: str = "") -> str:
    unknown, known = seen.at(_UNKNOWN, 0.1), seen.at(_KNOWN, 0.1)
    return (
        f"Not knowing the record takes away **{100.0 * (unknown - known) / (0.9 - known):.0f} %** of what the release "
        "gives away: at α = 0.1 {J, record unknown @ 0.1} members are missed, by full knowledge "
        f"{{f, full knowledge @ 0.1}}.{then}"
    )


def _resilience(effect: float) -> Drawing:
    release, reference = Gaussian(1.0), Gaussian(1.0 / effect)
    known, compared = (cached.trade_off(one, Order.SYMMETRIC) for one in (release, reference))
    unknown = threat_models.relaxed_curve(release, 1, Order.SYMMETRIC, RelaxedTest.MINIMAX)
    held = "holds" if relaxed.detection_resilience(release, compared).resilient else "fails"
    lines = [
        Line.of_power(_KNOWN, known, theme.KNOWS_ALL),
        Line.of_power(_UNKNOWN, unknown, theme.RECORD_UNKNOWN),
        Line.of_power(f"λ: {held}", compared, theme.COMPARED[1], "cross"),
    ]
    ends = (1e-6, 1.0)
    axes = LineAxis("False positive rate α", log=True, ends=ends), LineAxis("Members found", log=True, ends=ends)
    own = {**_RELAXED, "axes": Axes.LOG, comparison.KEY: comparison.spelled(reference)}
    return Drawing.of(axes, lines, links.shown(MECHANISM, release, own, dimension=1), Line.guessing(ends))


def _verdict(seen: Drawing) -> str:
    found = "no more at any rate compared" if seen.names[-1].endswith("holds") else "more at some rates"
    return (
        f"Beside the reference λ, who does not know the record finds **{found}**. Far out, not knowing the sign costs "
        "a factor of two in α, no more."
    )


_EFFECTS = (0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)
_BUYS = _question(
    "unknown-record", "What does not knowing the record buy?", finds="relaxed threat model RTM f-DP closed form"
).answered_by(
    Panel(
        "Fig. 1a/1b: Laplace noise, one release: full knowledge against an unknown record",
        Knob("Effect size Δ/b", _EFFECTS, 0.6, "Fig. 1a: 0.6, Fig. 1b: 1.5"),
        lambda effect: _errors(Laplace(1.0 / effect)),
        _missed,
        corrections=(2, 6, 5),
    ),
    Panel(
        "Fig. 1c/1d: Gaussian noise, one release: full knowledge against an unknown record",
        Knob("Effect size Δ/σ", _EFFECTS, 0.6, "Fig. 1c: 0.6, Fig. 1d: 1.5"),
        lambda effect: _errors(Gaussian(1.0 / effect)),
        _missed,
        corrections=(5, 3),
    ),
    Panel(
        "Def. 3: λ-detection resilience of a Gaussian release",
        Knob("Effect size μ of the reference λ", (0.3, 0.5, 0.7, 0.8, 0.9, 1.0, 1.2), 0.7, ""),
        _resilience,
        _verdict,
        "Δ/σ = 1",
        corrections=(5,),
        ours="The paper defines λ-DR without a figure; release and references are ours.",
    ),
    *map(corrections.PANELS.__getitem__, (2, 3, 6)),
)


def _power(release: Gaussian, alpha: float, *more: Line) -> Drawing:
    known = cached.power_against_effect(release, alpha, Order.ADD)
    unknown = threat_models.relaxed_power_against_effect(release, alpha, Order.ADD, 1)
    lines = [
        Line("full knowledge", known.effect_size, known.power, theme.KNOWS_ALL, known.bound),
        Line("record unknown", unknown.effect_size, unknown.power, theme.RECORD_UNKNOWN, unknown.bound, "circle"),
    ]
    axes = LineAxis("Effect size Δ/σ", ends=(0.0, 4.0)), LineAxis("Members found", ends=UNIT)
    own = {**_RELAXED, "mechanism.second": SecondFigure.POWER}
    return Drawing.of(axes, [*lines, *more], links.shown(MECHANISM, release, own, Order.ADD, alpha, dimension=1))


def _sampled_power(rate: float) -> Drawing:
    """With the paper's curve of Fig. 2c: the central limit theorem, for one step."""
    effects, alpha = np.linspace(0.05, 4.0, 80), np.array([1e-3])
    power = [float(approximations.clt(Gaussian(1.0 / effect, rate), alpha).power[0]) for effect in effects]
    clt = Line("CLT, as the paper draws it", effects, np.array(power), theme.NEUTRAL, Bound.ESTIMATE, "x")
    return _power(Gaussian(1.0, rate), 1e-3, clt)


_STRONGER = _question(
    "stronger-signal", "How much stronger must the signal be?", finds="power true positive rate"
).answered_by(
    Panel(
        "Fig. 2b: Members found against the effect size, Gaussian noise on every record",
        Knob("False positive rate α", (1e-5, 1e-4, 1e-3, 1e-2, 5e-2, 0.1), 1e-3),
        partial(_power, Gaussian(1.0)),
        "At Δ/σ = 3 full knowledge finds {full knowledge @ 3} members, who does not know the record "
        "{record unknown @ 3}. Guessing the sign costs a factor of two in α: the shift shrinks as α falls.",
    ),
    Panel(
        "Fig. 2c: Members found against the effect size, one sampled Gaussian step: exact, and the paper's CLT",
        Knob("Sampling rate p", (0.05, 0.1, 0.3, 0.5, 0.8, 1.0), 0.3),
        _sampled_power,
        "However strong the signal, who was not sampled cannot be seen: at Δ/σ = 2 full knowledge finds "
        "{full knowledge @ 2} members, where the CLT that the paper draws has {CLT, as the paper draws it @ 2}.",
        "α = 0.001",
        corrections=(14,),
        ours="The curves of either attacker are exact here; the paper's is the CLT's.",
    ),
)


def _sampled_steps(rate: float) -> Drawing:
    release = Gaussian(5.0, rate, 30)
    folded = threat_models.relaxed_curve(release, 1, Order.ADD, RelaxedTest.FOLDED_STEPS)
    return _errors(release, 1, Line.of_errors("folded steps", folded, theme.COMPARED[1]))


_RATES = (0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0)
_SAMPLING = _question(
    "sampling", "What does sampling hide?", finds="subsampling amplification Poisson folded statistic"
).answered_by(
    Panel(
        "Fig. 5a: Sampled Laplace noise: full knowledge against an unknown record",
        Knob("Sampling rate p", _RATES, 0.3),
        lambda rate: _errors(
            Laplace(1.0, rate), 1, _unknown(Laplace(1.0), 1, Order.SYMMETRIC, "J, every record", "cross", _BESIDE)
        ),
        "At α = 0.1 who does not know the record misses {J, record unknown @ 0.1} members; with every record in "
        "every step, {J, every record @ 0.1}. In one step j is p parts of the unsampled j, and else guessing.",
        "Δ/b = 1",
        corrections=(14,),
    ),
    Panel(
        "Fig. 1e: Several sampled Gaussian steps: full knowledge against an unknown record",
        Knob("Sampling rate p", (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0), 0.4),
        _sampled_steps,
        partial(_missed, then=" Folded steps are one attack, not the best: no guarantee."),
        "Δ/σ = 0.2, 30 steps",
        corrections=(15,),
    ),
)


def _many_steps(dimension: float) -> Drawing:
    release = Gaussian(5.0, 1.0, 150)
    alpha, kappa = _known(release).x, release.steps / release.noise_multiplier**2
    left, right = (of(alpha, kappa, dimension).beta for of in (asymptotics.scaled, asymptotics.shifted))
    return _errors(
        release,
        dimension,
        Line("Eq. 7, left", alpha, left, theme.COMPARED[1], Bound.ESTIMATE, "x"),
        Line("Eq. 7, right", alpha, right, theme.COMPARED[1], Bound.ESTIMATE, "cross"),
    )


_HIDES = _question(
    "dimensions-and-steps", "Do many dimensions or steps hide a record?", finds="Theorem 3 blessing composition"
).answered_by(
    Panel(
        "Fig. 1f: Gaussian noise in many dimensions: full knowledge against an unknown record",
        Knob("Dimension d", (1, 2, 5, 10, 30, 100, 300, 1000), 30),
        lambda dimension: _errors(
            Gaussian(1.0), dimension, _unknown(Gaussian(1.0), 1, Order.SYMMETRIC, "J, d = 1", "cross", _BESIDE)
        ),
        partial(_missed, then=" Full knowledge knows the direction: its curve is the same in all dimensions."),
        "Δ/σ = 1",
        corrections=(5, 11),
    ),
    Panel(
        "Fig. 2a: Many Gaussian releases in many dimensions, with the formula of Eq. 7",
        Knob("Dimension d", (1, 3, 10, 30, 100, 300, 1000, 3000), 300),
        _many_steps,
        "At α = 0.1 who does not know the record misses {J, record unknown @ 0.1} members; the two sides of Eq. 7 "
        "have {Eq. 7, left @ 0.1} and {Eq. 7, right @ 0.1}. Only many dimensions make it right, not many releases.",
        "150 releases, Δ/σ = 1/5",
        corrections=(12, 13),
    ),
    *map(corrections.PANELS.__getitem__, (12, 13)),
)


_ROUNDS, _AUDITS, _AUDITS_OF_MODELS, _SHADOWS, _SEED = 1024, 100, 16, 1024, 1


@shared_cache
def _canary(release: SampledMechanism, dimension: int) -> Scores:
    return Scores(*collected(Canary(release, Attacker.RELAXED, dimension).run(_AUDITS * _ROUNDS, _SEED)))


@shared_cache
def _logits(noise: float, knows_side: bool) -> Scores:
    """On the shipped task, whose first record is planted in a model of the others."""
    feature, label = shipped_columns("one_feature_task", "feature", "label")
    features, labels = np.column_stack((feature, np.ones_like(feature))), label.astype(int)
    others = np.arange(len(labels))[np.newaxis] > 0
    training = Training(0.0, 400, 20.0, 1e6)  # without noise or clipping, to a loss of 0.02
    start = training.run(features, labels, others.astype(float), np.zeros((2, 2)), np.random.default_rng(_SEED))[0]
    attack = OfflineAttack(features, labels, (0,), Training(noise, 1), _SHADOWS, knows_side=knows_side, start=start)
    return Scores(*collected(attack.run(_AUDITS_OF_MODELS * _ROUNDS, _SEED)))


def _measured(name: str, scores: Scores, audits: int, color: str, symbol: str, order: Order = Order.ADD) -> Dots:
    found = repeated(scores, audits, np.linspace(0.05, 0.95, 19), order)
    return Dots(name, found.alpha, found.mean, color, found.deviation, symbol)


def _planted(release: SampledMechanism, dimension: float = 1, *, in_many: bool = False) -> Drawing:
    """Both orders of the test, in theory and measured; beside full knowledge, or in many dimensions one."""
    scores, own = _canary(release, int(dimension)), links.audit("canary, record unknown")
    parts: list[Drawn] = [
        _unknown(release, 1, Order.ADD, "j, d = 1", "cross", _BESIDE) if in_many else _known(release),
        _unknown(release, dimension, Order.ADD, "j"),
        _unknown(release, dimension, Order.REMOVE, "j⁻¹", "square"),
        _measured("measured", scores, _AUDITS, theme.MEASURED, "circle"),
        _measured("reversed", scores, _AUDITS, theme.MEASURED, "square-open", Order.REMOVE),
    ]
    link = links.shown(ATTACKERS, release, own, alpha=1e-3, dimension=int(dimension))
    return Drawing.of(ERRORS, parts, link, BLIND)


def _logit(effect: float) -> Drawing:
    release, one, two = Gaussian(1.0 / effect), _logits(1.0 / effect, True), _logits(1.0 / effect, False)
    parts: list[Drawn] = [
        _known(release),
        _unknown(release, 1, Order.ADD, "j, record unknown"),
        _measured("one-sided attack", one, _AUDITS_OF_MODELS, theme.MEASURED, "circle"),
        _measured("two-sided attack", two, _AUDITS_OF_MODELS, theme.COMPARED[0], "square-open"),
    ]
    why = "Attackers trains its shadow models on digits; the paper's task of one feature is here alone."
    return Drawing.of(ERRORS, parts, why, BLIND)


_PLANTED_EFFECTS = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)
_EFFECT = Knob("Effect size Δ/σ", _PLANTED_EFFECTS, 1.0)


_AS_IN_THEORY = (
    "At α = 0.1 the attack finds {1 - measured @ 0.1} members, and theory has {1 - j @ 0.1}. Without the sign there is "
    "nothing better to look at than the gradient's magnitude."
)
_POINTS = (
    f"Points: mean and standard deviation of {_AUDITS} audits of {_ROUNDS:,} rounds, computed on arrival with a fixed "
    "seed. The paper averages 1,024 audits and does not say how many rounds each has."
)
_PLANTED = _question(
    "planted-record",
    "Does a planted record find what theory says?",
    "Fewer audits, run here.",
    "canary shadow models logit",
).answered_by(
    Panel(
        "Fig. 3b: A planted record, unknown to the attacker, in one dimension",
        _EFFECT,
        lambda effect: _planted(Gaussian(1.0 / effect)),
        _AS_IN_THEORY,
        corrections=(4, 5),
        ours=_POINTS,
    ),
    Panel(
        "Fig. 3a: Shadow models of one feature, trained for one step; the attack looks at one record's confidence",
        _EFFECT,
        _logit,
        "At α = 0.1 an attack that knows to which side the record pulls finds {1 - one-sided attack @ 0.1} members, as "
        "full knowledge; one that looks at the distance alone {1 - two-sided attack @ 0.1}, as j has it.",
        corrections=(5,),
        ours="The task is the paper's (make_classification, 1,025 samples of one feature, one flipped, "
        f"{_SHADOWS:,} shadow models, one linear unit); the distance of its classes is ours. Mean and standard "
        f"deviation of {_AUDITS_OF_MODELS} audits of {_ROUNDS:,} models each way, trained on arrival.",
        is_slow=True,
    ),
    Panel(
        "Fig. 3c: A planted record, in many dimensions, beside one dimension",
        Knob("Dimension d", (1, 2, 5, 10, 20, 50, 100), 50),
        partial(_planted, Gaussian(0.5), in_many=True),
        _AS_IN_THEORY,
        "Δ/σ = 2",
        corrections=(13,),
        ours=f"{_POINTS} The paper plants it in a network on the diabetes data: the attacker knows all other "
        "gradients, which drop out, so what is measured has the same law here.",
    ),
    Panel(
        "Fig. 5b: A planted record, Laplace noise",
        Knob("Effect size Δ/b", _PLANTED_EFFECTS, 1.0, ""),
        lambda effect: _planted(Laplace(1.0 / effect)),
        _AS_IN_THEORY,
        corrections=(2,),
        ours=f"{_POINTS} Nor does it say how much noise: the start is ours.",
    ),
    Panel(
        "Fig. 6: A planted record, which takes part only where it is sampled",
        Knob("Sampling rate p", _RATES, 0.3),
        lambda rate: _planted(Gaussian(1.0 / 1.5, rate)),
        _AS_IN_THEORY,
        "Δ/σ = 1.5",
        corrections=(14, 17),
        ours=f"{_POINTS} Our copy has Δ₂/σ² = 1.5; it is read as Δ/σ.",
    ),
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
    return Drawing.of(ERRORS, lines, "No tool page has skewed noise: none of the mechanisms offered adds it.", BLIND)


_SKEWED = _question(
    "skewed-noise",
    "Is one clever test enough for skewed noise?",
    "Noise ours; no figure.",
    "GLRT maximum likelihood asymmetric",
).answered_by(
    Panel(
        "Lemma 5: The generalised likelihood ratio test: its estimate restricted, as in the lemma's proof, and not",
        Knob("Shape k of the noise: skewed … normal", (0.5, 1, 2, 5, 20, 100, 1000), 1, ""),
        _generalised_ratio,
        "At α = 0.1 the test with the unrestricted estimate of Eq. 26 misses {unrestricted, Eq. 26, down @ 0.1} "
        "records that pull down. Restricted up to Δ it is the two one-sided tests by definition, and misses "
        "{restricted: two tests, down @ 0.1}.",
        corrections=(4,),
        ours=f"Noise is the logarithm of a Gamma variable, Δ = {_SHIFT:g} of its scale: both are ours.",
        is_slow=True,
    ),
)

QUESTIONS = (_BUYS, _STRONGER, _SAMPLING, _HIDES, _PLANTED, _SKEWED)
