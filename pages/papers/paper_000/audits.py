"""Fig. 3, 5b and 6: attacks that are carried out, many times over, beside the curves of theory."""

from collections.abc import Callable
from functools import cache

import numpy as np

from numerics import shipped
from numerics.audits import Attacker, Canary, OfflineAttack, Repeated, Scores, Training, collected, repeated
from numerics.audits.logit_space import Labels
from numerics.mechanisms import Gaussian, Laplace, SampledMechanism
from numerics.relaxed import Reading
from numerics.trade_off import Floats, Order
from pages.papers.audit_presets import PRESETS
from pages.papers.figure import Drawing, MovingParameter, Notice, PaperFigure, of_100
from pages.papers.paper_000.trade_offs import AXES, BLIND, described, known, unknown
from pages.server.shared_cache import shared_cache
from pages.ui import cached_threat_models
from pages.ui.catalog import ATTACKERS
from plotting import theme
from plotting.lines import Dots, Line

_ROUNDS, _AUDITS, _AUDITS_OF_MODELS, _SEED = 1024, 100, 16, 1
_RATES = np.linspace(0.05, 0.95, 19)
_SHADOWS = 1024
_TOWARDS_LOSS_ZERO = Training(0.0, 400, 20.0, 1e6)  # without noise or clipping, to a loss of 0.02
_QUERIES = {preset.name: preset.query for preset in PRESETS}


@shared_cache
def _canary(release: SampledMechanism, dimension: int) -> Scores:
    audit = Canary(release, Attacker.RELAXED, dimension)
    return Scores(*collected(audit.rounds(_AUDITS * _ROUNDS, _SEED)))


@cache
def _task() -> tuple[Floats, Labels, Floats]:
    """The shipped task: features with a constant, labels, and weights of a model trained without the first record."""
    rows = shipped.rows("one_feature_task")
    features = np.array([[float(row["feature"]), 1.0] for row in rows])
    labels = np.array([int(row["label"]) for row in rows])
    others = np.ones((1, len(labels)))
    others[0, 0] = 0.0
    weights = _TOWARDS_LOSS_ZERO.run(features, labels, others, np.zeros((2, 2)), np.random.default_rng(_SEED))
    return features, labels, weights[0]


@shared_cache
def _logits(noise: float, knows_side: bool) -> Scores:
    features, labels, start = _task()
    training = Training(noise, 1)
    attack = OfflineAttack(features, labels, (0,), training, _SHADOWS, knows_side=knows_side, start=start)
    return Scores(*collected(attack.rounds(_AUDITS_OF_MODELS * _ROUNDS, _SEED)))


def _measured(name: str, found: Repeated, color: str, symbol: str) -> Dots:
    return Dots(name, found.alpha, found.mean, color, found.deviation, symbol)


def _of_canary(release: SampledMechanism, dimension: int, others: list[Line], what: str) -> Drawing:
    """Both orders of the test, in theory and measured."""
    scores = _canary(release, dimension)
    theory = [
        unknown(release, dimension, Order.ADD, "j"),
        unknown(release, dimension, Order.REMOVE, "j⁻¹", "square"),
    ]
    dots = [
        _measured("measured", repeated(scores, _AUDITS, _RATES), theme.MEASURED, "circle"),
        _measured("reversed", repeated(scores, _AUDITS, _RATES, Order.REMOVE), theme.MEASURED, "square-open"),
    ]
    words = described(f"{_AUDITS} audits of {what}, theory and measured", [*others, *theory], dots)
    return Drawing.of(words, AXES, [*others, *theory], dots, BLIND)


def _gradient(effect: float) -> Drawing:
    release = Gaussian(1.0 / effect)
    return _of_canary(release, 1, [known(release)], f"Gaussian noise at Δ/σ = {effect:g}")


def _high_dimension(dimension: float) -> Drawing:
    release = Gaussian(0.5)
    one = cached_threat_models.relaxed_curve(release, 1, Order.ADD, Reading.MINIMAX)
    other = Line.of_errors("j, d = 1", one, theme.COMPARED[0], "cross")
    return _of_canary(release, int(dimension), [other], f"Gaussian noise at Δ/σ = 2 in {dimension:g} dimensions")


def _laplace(effect: float) -> Drawing:
    release = Laplace(1.0 / effect)
    return _of_canary(release, 1, [known(release)], f"Laplace noise at Δ/b = {effect:g}")


def _sampled(rate: float) -> Drawing:
    release = Gaussian(1.0 / 1.5, rate)
    return _of_canary(release, 1, [known(release)], f"Gaussian noise at Δ/σ = 1.5 and sampling rate {rate:g}")


def _logit(effect: float) -> Drawing:
    release = Gaussian(1.0 / effect)
    lines = [known(release), unknown(release, 1, Order.ADD, "j, record unknown")]
    dots = [
        _measured(name, repeated(_logits(1.0 / effect, side), _AUDITS_OF_MODELS, _RATES), color, symbol)
        for name, side, color, symbol in (
            ("one-sided attack", True, theme.MEASURED, "circle"),
            ("two-sided attack", False, theme.COMPARED[0], "square-open"),
        )
    ]
    words = described(f"attacks on models of one feature at Δ/σ = {effect:g}", lines, dots)
    return Drawing.of(words, AXES, lines, dots, BLIND)


_SOURCE = (
    f"Points: mean and standard deviation of {_AUDITS} audits of {_ROUNDS:,} rounds each, computed on arrival with a "
    "fixed seed. The paper averages 1,024 audits and does not say how many rounds each has."
)
_EFFECTS = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0)


def _figure(
    name: str,
    words: str,
    draw: Callable[[float], Drawing],
    parameter: MovingParameter,
    notice: Notice,
    *corrections: int,
    settings: str = "",
    source: str = _SOURCE,
) -> PaperFigure:
    return PaperFigure(
        name,
        words,
        ATTACKERS,
        _QUERIES[name],
        settings=settings,
        draw=draw,
        parameter=parameter,
        notice=notice,
        corrections=corrections,
        source=source,
    )


def _found_in_many(seen: Drawing) -> str:
    found, one = (of_100(1.0 - seen.at(name, 0.1)) for name in ("measured", "j, d = 1"))
    return (
        f"At α = 0.1 the attack finds {found} members; in one dimension theory has {one}. Slide d to the left end: the "
        "points fall onto the lower curve, and the two orders part."
    )


FIGURES = (
    _figure(
        "000 Fig. 3a",
        "Shadow models of one feature, trained for one step; the attack looks at one record's confidence.",
        _logit,
        MovingParameter("Effect size Δ/σ", _EFFECTS, 1.0),
        "Who asks the model for the record's confidence knows to which side the record pulls: the one-sided attack "
        "reaches f, full knowledge, not j. Only the attack that looks at the distance, without its sign, stops at j.",
        5,
        source=f"The task is the paper's (make_classification, 1,025 samples of one feature, one flipped, {_SHADOWS:,} "
        "shadow models, one linear unit); the distance of its classes is ours. Mean and standard deviation of "
        f"{_AUDITS_OF_MODELS} audits of {_ROUNDS:,} models each way, trained on arrival.",
    ),
    _figure(
        "000 Fig. 3b",
        "A planted record of length Δ that the attacker does not know, in one dimension.",
        _gradient,
        MovingParameter("Effect size Δ/σ", _EFFECTS, 1.0),
        "Measured points lie on the curves of theory in both orders of the test: the magnitude of the gradient is the "
        "best that can be looked at without knowing the sign. What full knowledge would add is the gap down to f.",
        4,
        5,
    ),
    _figure(
        "000 Fig. 3c",
        "A planted record in many dimensions, beside one dimension.",
        _high_dimension,
        MovingParameter("Dimension d", (1, 2, 5, 10, 20, 50, 100), 50),
        _found_in_many,
        13,
        settings="Δ/σ = 2",
        source=f"{_SOURCE} The paper takes a network with a latent space on the diabetes data: all its gradients "
        "but the planted one are known to the attacker and drop out, so what is measured has the same law here.",
    ),
    _figure(
        "000 Fig. 5b",
        "A planted record with Laplace noise, one dimension.",
        _laplace,
        MovingParameter("Effect size Δ/b", _EFFECTS, 1.0, is_printed=False),
        "With Laplace noise, too, the measured points lie on j and its inverse. Where few are accused, the reversed "
        "test is the better one here; with Gaussian noise (Fig. 3b) it is the worse.",
        2,
        source=f"{_SOURCE} Nor does it say how much noise: where the slider starts is ours.",
    ),
    _figure(
        "000 Fig. 6",
        "A planted record that takes part only where it is sampled.",
        _sampled,
        MovingParameter("Sampling rate p", (0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0), 0.3),
        "A record that was not sampled leaves nothing to find: the lower the rate, the nearer to guessing are both "
        "measured curves. They lie on the theory only if sampling drops the record; the definition in Sec. 4 masks the "
        "noise.",
        14,
        17,
        settings="Δ/σ = 1.5",
        source=f"{_SOURCE} Our copy has Δ₂/σ² = 1.5; it is read as Δ/σ, as in Fig. 1.",
    ),
)
