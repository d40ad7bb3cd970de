"""Audits: attacks that are really run against the release; which one, its parameters, and what it found."""

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from numerics.audits import Attacker, Canary, SimulatedGradients
from numerics.mechanisms import Adjacency, SampledMechanism, Sampling
from numerics.trade_off import Order
from pages.attackers.audit import presets, result, subjects
from pages.attackers.audit.run import RUNNER, AuditTask
from pages.attackers.audit.subjects import Attack, AttackSubject
from pages.ui.error_boundary import error_boundary
from pages.ui.number_box import number_box, whole_box
from pages.ui.segmented_control import segmented_control
from pages.ui.threat_models.release import ReleaseSetting

ROUNDS = (1_000, 10_000, 100_000, 1_000_000)
_DEFAULT_ROUNDS = 10_000
_LONGEST = 1800.0  # seconds
_LARGEST_SEED = 2**32 - 1

WORDS = {
    Attack.FULL_KNOWLEDGE: "A record of largest influence is planted in the release above, or not. The attacker knows "
    "it and everything else but the noise and the sampling: the model of differential privacy.",
    Attack.RECORD_UNKNOWN: "The same planted record, but the attacker does not know it and can only see how far the "
    "mean moved: the relaxed model. Records are added here; at a rate below 1, each is drawn by chance.",
    Attack.OFFLINE: "Small models of handwritten digits are trained with noise, with and without one wrongly labelled "
    "digit. The attacker looks at how sure a model is of that digit, compared with models that never saw it.",
    Attack.SIMULATED: "Is this gradient part of that average? Gradients are drawn from a normal law that the attacker "
    "knows; the other gradients hide the one looked for.",
    Attack.REAL: "The same question for gradients of a real model of the digits, whose law the attacker has to "
    "estimate from other records.",
}


def draw(setting: ReleaseSetting) -> None:
    """Draw the choice of an attack, its start, its progress and what it found."""
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        attack = segmented_control("Attack", list(Attack), default=Attack.FULL_KNOWLEDGE, key="attackers.audit_attack")
        presets.draw()
    st.caption(WORDS[attack])
    with error_boundary("audit"):
        audit = draw_parameters(attack, setting)
        RUNNER.draw_start(audit, audit.subject.seconds(audit.rounds))
        if (found := RUNNER.result_of(audit)) is not None:
            result.draw(found, setting.choice.alpha)
    sources = presets.sources(attack)
    if sources:
        with st.expander("The papers' figures of this attack"):
            st.markdown(sources)


def draw_parameters(attack: Attack, setting: ReleaseSetting) -> AuditTask:
    """Draw the attack's parameters; raises ValueError where the attack does not suit the release."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        rounds = segmented_control(
            "Rounds with, and as many without the record",
            ROUNDS,
            default=_DEFAULT_ROUNDS,
            format_func="{:,}".format,
            key="attackers.audit_rounds",
            help="Every round is a training of its own. Four times the rounds halve the width of the limits.",
        )
        seed = whole_box(
            "Seed", "attackers.audit_seed", (0, _LARGEST_SEED), 1, "The same seed gives the same rounds.", width=130
        )
        subject = _SUBJECTS[attack](setting)
    audit = AuditTask(subject, str(attack), int(rounds), seed)
    _check_time(audit)
    return audit


def _check_time(audit: AuditTask) -> None:
    seconds = audit.subject.seconds(audit.rounds)
    if seconds > _LONGEST:
        raise ValueError(
            f"rounds must take at most {_LONGEST / 60:.0f} minutes, got {audit.rounds:,} rounds, about "
            f"{seconds / 60:,.0f} minutes: choose fewer rounds or steps."
        )


def _single(setting: ReleaseSetting) -> SampledMechanism:
    """The release, if a canary can be planted in it."""
    if len(setting.phases) > 1:
        raise ValueError(f"phases must be 1 for a planted record, got {len(setting.phases)}.")
    return setting.phases[0]


def _orders(order: Order) -> tuple[Order, ...]:
    return (Order.ADD, Order.REMOVE) if order is Order.SYMMETRIC else (order,)


def _full_knowledge(setting: ReleaseSetting) -> AttackSubject:
    release = _single(setting)
    if release.sampling is not Sampling.POISSON and release.sampling_rate < 1.0:
        raise ValueError(f"sampling must be Poisson for a planted record, got {release.sampling}.")
    return subjects.canary(Canary(release), _orders(setting.choice.order))


def _record_unknown(setting: ReleaseSetting) -> AttackSubject:
    release = replace(_single(setting), adjacency=Adjacency.ADD_REMOVE, sampling=Sampling.POISSON)
    return subjects.canary(Canary(release, Attacker.RELAXED, setting.least_dimension), _orders(setting.choice.order))


def _offline(_: ReleaseSetting) -> AttackSubject:
    noise = number_box(
        "Noise multiplier",
        "attackers.audit_training_noise",
        (0.01, 1000.0),
        1.0,
        "Of the training of every model.",
        width=140,
    )
    steps = whole_box(
        "Steps", "attackers.audit_training_steps", (1, 100), 1, "Passes of the noisy training over the data.", width=130
    )
    share = number_box(
        "Others kept",
        "attackers.audit_share",
        (0.1, 1.0),
        1.0,
        "Share of the other records that a model trains on, at random.",
        width=140,
    )
    return subjects.offline(noise, steps, share)


def _simulated(_: ReleaseSetting) -> AttackSubject:
    dimension = whole_box(
        "Dimension, d", "attackers.audit_coordinates", (1, 100_000), 650, "Number of parameters.", width=130
    )
    batch = whole_box("Batch, n", "attackers.audit_batch", (2, 1_000_000), 500, "Gradients in an average.", width=130)
    susceptibility = number_box(
        "Susceptibility, K",
        "attackers.audit_susceptibility",
        (1e-6, 1e9),
        650.0,
        "How unusual the record is; d is typical.",
        width=140,
    )
    noise = number_box(
        "Noise on the sum",
        "attackers.audit_noise",
        (0.0, 1e5),
        0.0,
        "In standard deviations of the gradients.",
        width=140,
    )
    return subjects.simulated(SimulatedGradients(dimension, batch, susceptibility, noise))


def _real(_: ReleaseSetting) -> AttackSubject:
    batch = whole_box("Batch, n", "attackers.audit_real_batch", (2, 200), 20, "Gradients in an average.", width=130)
    return subjects.real(batch)


_SUBJECTS: dict[Attack, Callable[[ReleaseSetting], AttackSubject]] = {
    Attack.FULL_KNOWLEDGE: _full_knowledge,
    Attack.RECORD_UNKNOWN: _record_unknown,
    Attack.OFFLINE: _offline,
    Attack.SIMULATED: _simulated,
    Attack.REAL: _real,
}
