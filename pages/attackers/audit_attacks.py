"""What can be audited: each attack with its parameters, the theory that belongs beside it, and how it is computed.

What the attacks look at is made once and shared by all sessions: the digits, models of them, and the theory's curves.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import Any

import numpy as np

from numerics import relaxed
from numerics.audits import Attacker, AuditProgress, Canary, OfflineAttack, Position, SimulatedGradients, Training
from numerics.audits.digits import BACKGROUND_RECORDS, CLASSES, digits, gradients_of_digits, real_gradients
from numerics.deadline import UNLIMITED, Deadline
from numerics.gaussian_membership import StepTest
from numerics.mechanisms import Adjacency, Gaussian, SampledMechanism, Sampling
from numerics.privacy_loss import Precision
from numerics.relaxed import RelaxedTest
from numerics.trade_off import Floats, Order, TradeOffCurve
from pages.server.shared_cache import shared_cache
from pages.ui.cached import PRECISION
from pages.ui.controls import number_box, whole_box
from pages.ui.release_in_force import ALPHAS
from pages.ui.result_header import Formula
from pages.ui.threat_models import FULL, OTHERS, RELAXED, ReleaseSetting
from reports.python_code import constructor, imports

# Seconds on one core of a small server, measured; only for "about ... s" and for the longest audit there is.
_DRAW, _MODEL, _FURTHER_STEP, _COORDINATE, _P_VALUE, _BATCH = 5e-8, 2e-5, 6e-5, 2e-8, 5e-6, 5e-5
_SHADOWS = 256
OFFLINE_RECORDS = 250
_LARGE_RATES = (0.95, 0.98, 0.99, 0.999)  # a linear figure's other end


def rates(rounds: int) -> Floats:
    """False positive rates at which an audit of ``rounds`` rounds is stated: the slider's, from one false alarm up."""
    stated = np.array([*ALPHAS, *_LARGE_RATES])
    return stated[stated * rounds >= 1.0 - 1e-9]


@shared_cache
def offline_attack(noise: float, steps: int, share: float) -> OfflineAttack:
    """Offline attack on one wrongly labelled digit among 250; its gradient keeps the clipping norm for long."""
    features, labels = digits()
    labels = labels[:OFFLINE_RECORDS].copy()
    labels[0] = (labels[0] + 1) % CLASSES
    return OfflineAttack(features[:OFFLINE_RECORDS], labels, (0,), Training(noise, steps), share=share)


@shared_cache
def full_knowledge(
    mechanism: SampledMechanism, order: Order, rounds: int, *, precision: Precision = PRECISION
) -> TradeOffCurve:
    """The mechanism's trade-off function at an audit's rates."""
    return mechanism.trade_off(rates(rounds), order, precision)


@shared_cache
def record_unknown(
    mechanism: SampledMechanism, dimension: int, order: Order, rounds: int, deadline: Deadline = UNLIMITED
) -> TradeOffCurve:
    """What the magnitude of the mean reaches; the relaxed guarantee where that is not known."""
    test = RelaxedTest.MAGNITUDE if mechanism.adds_in_squares else RelaxedTest.MINIMAX
    asked = rates(rounds)
    return relaxed.trade_off(mechanism, asked, dimension=dimension, order=order, test=test, deadline=deadline)


LIMITS = Formula(
    r"\underline{P}\,\le\,P(\text{accuse}\mid\text{member})\,\le\,\overline{P}",
    "The curve accuses the share α of the scores without the record. Its limits are exact for every law of the scores: "
    "an order statistic on either side of the true threshold (its rate has a binomial law), and Clopper and Pearson's "
    "limit of the power there, at a quarter of the risk each.",
    "Clopper and Pearson 1934",
)
_MASK = Formula(
    r"g = \text{noise} + B \cdot \Delta e_1,\qquad B \sim \text{Bernoulli}(p)",
    "Each step releases noise, and the record's gradient where it takes part: of largest norm, all in one coordinate.",
    "paper 000 Figs. 3b, 5b and 6",
    "sampling masks the record, not the noise (correction 14).",
)
_RATIO = Formula(
    r"S = \sum_{t} \log\frac{(1-p)\,\nu_0(g_t) + p\,\nu_1(g_t)}{\nu_0(g_t)}",
    "Who knows the record sums the log-likelihood ratios of all steps; for replace-one, those of both records.",
    "Neyman and Pearson",
)
_OFFLINE = [
    Formula(
        r"S = -\log \Phi\!\left(\frac{\hat m - \ell}{\hat s}\right),\qquad \ell = \log\frac{f_y}{1 - f_y}",
        "The logit of the canary in the model under test, against the normal law of its logits in 256 shadow models "
        "trained without it.",
        "paper 000 Fig. 3a",
    ),
    Formula(
        r"\beta \ge \Phi\!\left(\Phi^{-1}(1-\alpha) - \sqrt{T}/s\right)",
        "The theory is the guarantee of the training's noise against every attack. One step hides nothing from the "
        "logit; several steps, or records left out at random, do.",
        "paper 000 Section 3",
    ),
]
_GLIR = [
    Formula(
        r"S = \tfrac{1}{n_\text{eff}} \lVert n (m - \mu) - n_\text{eff} (\theta - \mu) \rVert^2_{\Sigma^{-1}},"
        r"\qquad n_\text{eff} = n + s^2",
        "Is the gradient θ part of the average m? Small values mean yes.",
        "paper 004 Algorithm 1",
        "the factor is n, the susceptibility is centred, the p-value has F and not its inverse (corrections 45-48).",
    ),
    Formula(
        r"\beta = 1 - F_{\chi'^2_d((n_\text{eff}-1)K)}\!\left(\tfrac{n_\text{eff}}{n_\text{eff}-1}\,"
        r"F^{-1}_{\chi'^2_d(n_\text{eff} K)}(\alpha)\right)",
        "The best attack on normal gradients.",
        "paper 004 Eq. 8",
        "the effective batch is n + s² (correction 44).",
    ),
]
_ESTIMATED = Formula(
    r"K = d",
    "The theory takes every record's susceptibility for the typical one, although they differ. The attacker estimates "
    "mean and covariance, and gradients are not normal: measured curves lie on the weak side of the theory.",
    "paper 004 Fig. 2b",
    "K = d is typical, not the worst case (correction 46).",
)


@dataclass(frozen=True)
class AttackSubject:
    """An attack with all its parameters.

    Attributes:
        python: lines that make ``attack``, with every digit: subjects are equal if these and ``orders`` are.
        orders: the null hypotheses that are measured.
        parameters: names and values for people.
        expected: where the measured curve should lie.
        start: begins an audit of so many rounds with a seed; nothing is computed before its first step is asked for.
        theory: the theory for an order at ``rates`` of so many rounds.
        seconds: about how long so many rounds take.
        found: what the attack looks for, in words.
        premise: what the theory supposes about the record looked for, if it is a guess.
    """

    python: str
    orders: tuple[Order, ...]
    parameters: Mapping[str, str] = field(compare=False)
    formulas: Sequence[Formula] = field(compare=False)
    expected: Position = field(compare=False)
    start: Callable[[int, int], Generator[AuditProgress, None, None]] = field(compare=False)
    theory: Callable[[Order, int], TradeOffCurve] = field(compare=False)
    seconds: Callable[[int], float] = field(compare=False)
    color: str = field(compare=False)
    found: str = field(default="planted records", compare=False)
    premise: str = field(default="", compare=False)


def canary(planted: Canary, orders: tuple[Order, ...]) -> AttackSubject:
    """A planted gradient in the page's release."""
    mechanism, is_unknown = planted.mechanism, planted.attacker is Attacker.RELAXED
    magnitude = Formula(
        rf"S = \left\lVert \tfrac{{1}}{{T}} \textstyle\sum_t g_t \right\rVert_{planted.norm}",
        "Who does not know the record looks at the length of the mean over the steps. With several sampled steps the "
        "theory is the power of this statistic, or the relaxed guarantee for noise whose mean has no known law.",
        "paper 000 Eq. 4 and Lemma 8",
        "the mean of the steps is taken, along one common direction (corrections 9, 11).",
    )

    def theory(order: Order, rounds: int) -> TradeOffCurve:
        if is_unknown:
            return record_unknown(mechanism, planted.dimension, order, rounds)
        return full_knowledge(mechanism, order, rounds)

    is_best = not is_unknown or mechanism.steps == 1 or mechanism.adds_in_squares
    return AttackSubject(
        "from numerics.audits import Attacker, Canary\n"
        f"{imports(mechanism)}\n\n"
        f"attack = Canary({constructor(mechanism)}, Attacker.{planted.attacker.name}, {planted.dimension})\n",
        orders,
        {"release": mechanism.label, "attacker": planted.attacker, "dimension": str(planted.dimension)},
        [_MASK, magnitude if is_unknown else _RATIO],
        Position.INSIDE if is_best else Position.WEAKER,
        planted.run,
        theory,
        lambda rounds: _DRAW * rounds * planted.draws,
        RELAXED.color if is_unknown else FULL.color,
    )


def offline(noise: float, steps: int, share: float) -> AttackSubject:
    """Shadow models of the digits; ``noise`` and ``steps`` of the training, ``share`` of the other records kept."""
    return AttackSubject(
        "from pages.attackers.audit_attacks import offline_attack\n\n"
        f"attack = offline_attack({noise!r}, {steps!r}, {share!r})\n",
        (Order.ADD,),
        {
            "model": f"softmax regression on {OFFLINE_RECORDS} digits, one wrongly labelled canary",
            "training": f"noise multiplier {noise:g}, {steps} steps, clipping norm 1, learning rate 1",
            "share of the other records kept": f"{share:g}",
            "shadow models": str(_SHADOWS),
        },
        _OFFLINE,
        Position.INSIDE if steps == 1 and share == 1.0 else Position.WEAKER,
        lambda rounds, seed: offline_attack(noise, steps, share).run(rounds, seed),
        lambda order, rounds: full_knowledge(Gaussian(noise, steps=steps), order, rounds),
        lambda rounds: (_SHADOWS + 2 * rounds) * (_MODEL + _FURTHER_STEP * (steps - 1)),
        FULL.color,
    )


def simulated(attack: SimulatedGradients) -> AttackSubject:
    """GLiR on normal gradients with known parameters."""
    test = StepTest(attack.effective_batch, attack.dimension, attack.susceptibility)
    settings = attack.dimension, attack.batch, attack.susceptibility, attack.noise_multiplier
    return AttackSubject(
        "from numerics.audits import SimulatedGradients\n\n"
        f"attack = SimulatedGradients({', '.join(map(repr, settings))})\n",
        (Order.ADD,),
        {
            "dimension d": str(attack.dimension),
            "batch n": str(attack.batch),
            "susceptibility K": f"{attack.susceptibility:g}",
            "noise, in standard deviations of the gradients": f"{attack.noise_multiplier:g}",
        },
        _GLIR,
        Position.INSIDE,
        attack.run,
        lambda _, rounds: test.trade_off(rates(rounds)),
        lambda rounds: rounds * 2 * (_COORDINATE * attack.dimension + _P_VALUE),
        OTHERS.color,
        "members",
    )


def real(batch: int) -> AttackSubject:
    """GLiR on per-example gradients of a model of the digits."""
    dimension = gradients_of_digits()[1].dimension
    test = StepTest(batch, dimension, dimension)
    return AttackSubject(
        f"from numerics.audits.digits import real_gradients\n\nattack = real_gradients({batch!r})\n",
        (Order.ADD,),
        {
            "model": "softmax regression on the digits",
            "attacker's background": f"mean and covariance estimated from {BACKGROUND_RECORDS} others",
            "directions d": str(dimension),
            "batch n": str(batch),
            "susceptibility K in the theory": f"{dimension}, its typical value",
        },
        [*_GLIR, _ESTIMATED],
        Position.WEAKER,
        lambda rounds, seed: real_gradients(batch).run(rounds, seed),
        lambda _, rounds: test.trade_off(rates(rounds)),
        lambda rounds: _BATCH * rounds,
        OTHERS.color,
        "members",
        "for typical records",
    )


class Attack(StrEnum):
    """The choice of attacks; the values are labels, and values in the URL."""

    FULL_KNOWLEDGE = "canary, full knowledge"
    RECORD_UNKNOWN = "canary, record unknown"
    OFFLINE = "offline logit attack"
    SIMULATED = "GLiR, simulated gradients"
    REAL = "GLiR, real gradients"


Box = Callable[[], float]
"""Draws the box of a number that an attack asks for, and returns what is in it."""


@dataclass(frozen=True)
class AttackForm:
    """What the form says of an attack and asks for; ``subject`` takes the release and the numbers in their order."""

    words: str
    boxes: Sequence[Box]
    subject: Callable[..., AttackSubject]


def _box(label: str, key: str, limits: tuple[float, float], default: float, meaning: str) -> Box:
    """A box; one of whole numbers where the ``default`` is one."""
    draw: Any = whole_box if isinstance(default, int) else number_box
    return partial(draw, label, f"attackers.audit_{key}", limits, default, meaning, width=140)


def _planted(setting: ReleaseSetting, attacker: Attacker) -> AttackSubject:
    """A canary in the page's release, if one can be planted in it."""
    if len(setting.phases) > 1:
        raise ValueError(f"phases must be 1 for a planted record, got {len(setting.phases)}.")
    (release,), dimension, order = setting.phases, 1, setting.choice.order
    if attacker is Attacker.RELAXED:
        release = replace(release, adjacency=Adjacency.ADD_REMOVE, sampling=Sampling.POISSON)
        dimension = setting.least_dimension
    elif release.sampling is not Sampling.POISSON and release.sampling_rate < 1.0:
        raise ValueError(f"sampling must be Poisson for a planted record, got {release.sampling}.")
    both = Order.ADD, Order.REMOVE
    return canary(Canary(release, attacker, dimension), both if order is Order.SYMMETRIC else (order,))


_IN_AN_AVERAGE = "Gradients in an average."
FORMS: Mapping[Attack, AttackForm] = {
    Attack.FULL_KNOWLEDGE: AttackForm(
        "A record of largest influence is planted in the release above, or not. The attacker knows it and everything "
        "else but the noise and the sampling: the model of differential privacy.",
        (),
        partial(_planted, attacker=Attacker.FULL_KNOWLEDGE),
    ),
    Attack.RECORD_UNKNOWN: AttackForm(
        "The same planted record, but the attacker does not know it and can only see how far the mean moved: the "
        "relaxed model. Records are added here; at a rate below 1, each is drawn by chance.",
        (),
        partial(_planted, attacker=Attacker.RELAXED),
    ),
    Attack.OFFLINE: AttackForm(
        "Small models of handwritten digits are trained with noise, with and without one wrongly labelled digit. The "
        "attacker looks at how sure a model is of that digit, compared with models that never saw it.",
        (
            _box("Noise multiplier", "training_noise", (0.01, 1000.0), 1.0, "Of the training of every model."),
            _box("Steps", "training_steps", (1, 100), 1, "Passes of the noisy training over the data."),
            _box("Others kept", "share", (0.1, 1.0), 1.0, "Share of the other records that a model trains on."),
        ),
        lambda _, noise, steps, share: offline(noise, steps, share),
    ),
    Attack.SIMULATED: AttackForm(
        "Is this gradient part of that average? Gradients are drawn from a normal law that the attacker knows; the "
        "other gradients hide the one looked for.",
        (
            _box("Dimension, d", "coordinates", (1, 100_000), 650, "Number of parameters."),
            _box("Batch, n", "batch", (2, 1_000_000), 500, _IN_AN_AVERAGE),
            _box("Susceptibility, K", "susceptibility", (1e-6, 1e9), 650.0, "How unusual it is; d is typical."),
            _box("Noise on the sum", "noise", (0.0, 1e5), 0.0, "In standard deviations of the gradients."),
        ),
        lambda _, d, n, k, noise: simulated(SimulatedGradients(d, n, k, noise)),
    ),
    Attack.REAL: AttackForm(
        "The same question for gradients of a real model of the digits, whose law the attacker has to estimate from "
        "other records.",
        (_box("Batch, n", "real_batch", (2, 200), 20, _IN_AN_AVERAGE),),
        lambda _, batch: real(batch),
    ),
}
