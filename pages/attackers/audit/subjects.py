"""What can be audited: each attack with its parameters, the theory that belongs beside it, and how it is computed."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from numerics.audits import Attacker, AuditProgress, Canary, Position, SimulatedGradients
from numerics.gaussian_membership import StepTest
from numerics.mechanisms import Gaussian
from numerics.trade_off import Order, TradeOffCurve
from pages.attackers.audit import cached
from pages.attackers.audit import formulas as audit_formulas
from pages.ui.readout import Formula
from pages.ui.threat_models.notions import FULL, OTHERS, RELAXED
from reports.python_code import constructor, imports

# Seconds on one core of a small server, measured; only for "about ... s" and for the longest audit there is.
_DRAW, _MODEL, _FURTHER_STEP, _COORDINATE, _P_VALUE, _BATCH = 5e-8, 2e-5, 6e-5, 2e-8, 5e-6, 5e-5
_SHADOWS = 256


class Attack(StrEnum):
    """The choice of attacks; the values are labels, and values in the URL."""

    FULL_KNOWLEDGE = "canary, full knowledge"
    RECORD_UNKNOWN = "canary, record unknown"
    OFFLINE = "offline logit attack"
    SIMULATED = "GLiR, simulated gradients"
    REAL = "GLiR, real gradients"


@dataclass(frozen=True)
class AttackSubject:
    """An attack with all its parameters.

    Attributes:
        python: lines that make ``attack``, with every digit: subjects are equal if these and ``orders`` are.
        orders: the null hypotheses that are measured.
        parameters: names and values for people.
        expected: where the measured curve should lie.
        start: begins an audit of so many rounds with a seed; nothing is computed before its first step is asked for.
        theory: the theory for an order at ``cached.rates`` of so many rounds.
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
    mechanism, unknown = planted.mechanism, planted.attacker is Attacker.RELAXED

    def theory(order: Order, rounds: int) -> TradeOffCurve:
        if unknown:
            return cached.record_unknown(mechanism, planted.dimension, order, rounds)
        return cached.full_knowledge(mechanism, order, rounds)

    best = not unknown or mechanism.steps == 1 or mechanism.adds_in_squares
    return AttackSubject(
        "from numerics.audits import Attacker, Canary\n"
        f"{imports(mechanism)}\n\n"
        f"attack = Canary({constructor(mechanism)}, Attacker.{planted.attacker.name}, {planted.dimension})\n",
        orders,
        {"release": mechanism.label, "attacker": planted.attacker, "dimension": str(planted.dimension)},
        audit_formulas.canary(planted),
        Position.INSIDE if best else Position.WEAKER,
        planted.rounds,
        theory,
        lambda rounds: _DRAW * rounds * planted.draws,
        RELAXED.color if unknown else FULL.color,
    )


def offline(noise: float, steps: int, share: float) -> AttackSubject:
    """Shadow models of the digits; ``noise`` and ``steps`` of the training, ``share`` of the other records kept."""
    return AttackSubject(
        "from pages.attackers.audit.cached import offline_attack\n\n"
        f"attack = offline_attack({noise!r}, {steps!r}, {share!r})\n",
        (Order.ADD,),
        {
            "model": f"softmax regression on {cached.OFFLINE_RECORDS} digits, one wrongly labelled canary",
            "training": f"noise multiplier {noise:g}, {steps} steps, clipping norm 1, learning rate 1",
            "share of the other records kept": f"{share:g}",
            "shadow models": str(_SHADOWS),
        },
        audit_formulas.OFFLINE,
        Position.INSIDE if steps == 1 and share == 1.0 else Position.WEAKER,
        lambda rounds, seed: cached.offline_attack(noise, steps, share).rounds(rounds, seed),
        lambda order, rounds: cached.full_knowledge(Gaussian(noise, steps=steps), order, rounds),
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
        audit_formulas.GLIR,
        Position.INSIDE,
        attack.rounds,
        lambda _, rounds: cached.step_test(test, rounds),
        lambda rounds: rounds * 2 * (_COORDINATE * attack.dimension + _P_VALUE),
        OTHERS.color,
        "members",
    )


def real(batch: int) -> AttackSubject:
    """GLiR on per-example gradients of a model of the digits."""
    dimension = cached.gradients_of_digits()[1].dimension
    test = StepTest(batch, dimension, dimension)
    return AttackSubject(
        f"from pages.attackers.audit.cached import real_gradients\n\nattack = real_gradients({batch!r})\n",
        (Order.ADD,),
        {
            "model": "softmax regression on the digits",
            "attacker's background": f"mean and covariance estimated from {cached.BACKGROUND_RECORDS} others",
            "directions d": str(dimension),
            "batch n": str(batch),
            "susceptibility K in the theory": f"{dimension}, its typical value",
        },
        [*audit_formulas.GLIR, audit_formulas.ESTIMATED],
        Position.WEAKER,
        lambda rounds, seed: cached.real_gradients(batch).rounds(rounds, seed),
        lambda _, rounds: cached.step_test(test, rounds),
        lambda rounds: _BATCH * rounds,
        OTHERS.color,
        "members",
        "for typical records",
    )
