"""The numbers of a certificate: from the same cached answers as the pages', so they never disagree."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from numerics.trade_off import SMALLEST_ALPHA, Bound, Bracket, Order
from pages.ui import cached, cached_reconstruction, cached_threat_models, release_curves, report_fields
from pages.ui.certificate.subject import RATES, CertificateSubject
from pages.ui.numbers_in_words import NOT_SET, as_entered
from pages.ui.threat_models import views
from pages.ui.threat_models.notions import FULL, OTHERS, RELAXED, SAMPLE
from pages.ui.threat_models.release import ReleaseSetting
from pages.ui.threat_models.views import View

MODELS = (FULL, RELAXED, SAMPLE, OTHERS)
NO_STATEMENT, NONE = "no statement", "—"
"""Where a notion says nothing, and where it has no answer."""


@dataclass(frozen=True)
class CertificateNumber:
    """The most that an attacker reaches, with its kind; for a demonstrated attack, what it does reach."""

    value: float
    bound: Bound


Answer = CertificateNumber | str
"""A number, or why there is none."""


@dataclass(frozen=True, eq=False)
class NotionGuarantee:
    """What one notion promises of the release.

    Attributes:
        view: what its attacker knows, and how it is compared.
        own: the notion's own numbers, by name.
        found: members found at the operating point; in the remove-one order, outsiders ruled out.
        advantage: the largest difference of members found and outsiders accused.
        rebuilt: how often a guess of the prior in force becomes right.
    """

    view: View
    own: Mapping[str, Answer] = field(default_factory=dict)
    found: Answer = NONE
    advantage: Answer = NONE
    rebuilt: Answer = NONE


@dataclass(frozen=True)
class NotionRates:
    """What a notion says at every one of ``RATES``: members found, or in the other order outsiders ruled out."""

    notion: str
    order: Order
    values: tuple[Answer, ...]


def guarantees(subject: CertificateSubject) -> list[NotionGuarantee]:
    """Differential privacy first, then every relaxed notion; see ``beside`` and ``apart``."""
    makers = (_full, _relaxed, _sample, _others)
    seen = views.views(subject.setting)
    return [
        NotionGuarantee(view, found=view.absent) if view.curve is None else make(subject, view)
        for make, view in zip(makers, seen, strict=True)
    ]


def beside(found: Sequence[NotionGuarantee]) -> list[NotionGuarantee]:
    """Those that may stand in one table: about the same neighbours and sampling, or not defined for them."""
    return [one for one in found if not one.view.differs or one.view.absent == views.NOT_DEFINED]


def apart(found: Sequence[NotionGuarantee]) -> list[NotionGuarantee]:
    """Those about other neighbours or another sampling than the release's."""
    return [one for one in found if one.view.differs and one.view.absent != views.NOT_DEFINED]


def rates(subject: CertificateSubject) -> list[NotionRates]:
    """The columns of the table of rates: full knowledge, and where it is defined record unknown, in both orders."""
    setting, both = subject.setting, (Order.ADD, Order.REMOVE)
    notions = {"DP": _full_at} | ({} if views.differs(setting, RELAXED) else {"RTM": _relaxed_at})
    return [
        NotionRates(notion, order, tuple(_answer(partial(at, setting, alpha, order)) for alpha in RATES))
        for notion, at in notions.items()
        for order in both
    ]


def parts(subject: CertificateSubject) -> list[tuple[str, Callable[[], object]]]:
    """What a certificate needs, by name: once all of it is in the cache, the certificate takes a moment."""
    setting = subject.setting
    release, delta = setting.release, setting.choice.delta
    return [
        *((f"the attacker who {model.name}", partial(views.view, setting, model)) for model in MODELS),
        ("epsilon", lambda: cached.epsilon(release, delta)),
        ("the level of Gaussian privacy", lambda: cached.gaussian_mu(release)),
        ("the advantage", lambda: cached.advantage(release)),
        ("reconstruction", lambda: _rebuilt(subject)),
        ("other rates", lambda: rates(subject)),
        ("reconstruction, the record unknown", lambda: _relaxed(subject, views.view(setting, RELAXED))),
        ("the fields of a report", lambda: report_fields.rows(setting.choice, {})),
        ("the figures", lambda: release_curves.profile(release, delta, cached.PRECISION)),
    ]


def _answer(value: Callable[[], Answer]) -> Answer:
    try:
        return value()
    except ValueError as reason:
        return str(reason)


def _full_at(setting: ReleaseSetting, alpha: float, order: Order) -> CertificateNumber:
    return CertificateNumber(cached.power(setting.release, alpha, order).upper, setting.release.bound)


def _relaxed_at(setting: ReleaseSetting, alpha: float, order: Order) -> CertificateNumber:
    dimension, reading = setting.relaxed_dimension, setting.reading
    power = cached_threat_models.relaxed_power(setting.release, alpha, dimension, order, reading)
    return _of(views.inherited(power, cached.power(setting.release, alpha, order)), _relaxed_kind(setting))


def _relaxed_kind(setting: ReleaseSetting) -> Bound:
    dimension, order = setting.relaxed_dimension, setting.choice.order
    return cached_threat_models.relaxed_curve(setting.release, dimension, order, setting.reading).bound


def _rebuilt(subject: CertificateSubject) -> Answer:
    """How often a guess of the prior becomes right; nothing is said of a prior that is not set."""
    known, release = subject.known, subject.setting.release
    if known is None:
        return NOT_SET
    kind = cached_reconstruction.bound(release, known)
    return _answer(lambda: _of(cached_reconstruction.guessed_right(release, known), kind))


def _of(bracket: Bracket, bound: Bound) -> CertificateNumber:
    return CertificateNumber(bracket.lower if bound is Bound.UPPER else bracket.upper, bound)


def _found(view: View) -> Answer:
    return NONE if view.found is None or view.curve is None else _of(view.found, view.curve.bound)


def _full(subject: CertificateSubject, view: View) -> NotionGuarantee:
    release, delta = subject.setting.release, subject.setting.choice.delta
    bound = release.bound
    return NotionGuarantee(
        view,
        {
            f"ε at δ = {as_entered(delta)}": _answer(lambda: _of(cached.epsilon(release, delta), bound)),
            f"μ-GDP, for error rates from {as_entered(SMALLEST_ALPHA)}": _answer(
                lambda: _of(cached.gaussian_mu(release), bound)
            ),
        },
        _found(view),
        _answer(lambda: _of(cached.advantage(release), bound)),
        _rebuilt(subject),
    )


def _relaxed(subject: CertificateSubject, view: View) -> NotionGuarantee:
    setting, known = subject.setting, subject.known
    kind = _relaxed_kind(setting)
    dimension = setting.relaxed_dimension
    return NotionGuarantee(
        view,
        {"its curve": setting.reading.value} if kind is Bound.UPPER else {},
        _found(view),
        _of(cached_threat_models.relaxed_advantage(setting.release, dimension, setting.reading), kind),
        NOT_SET if known is None else _answer(lambda: _relaxed_at(setting, known.kappa, Order.ADD)),
    )


def _sample(subject: CertificateSubject, view: View) -> NotionGuarantee:
    setting, played = subject.setting, views.game(subject.setting)
    own = {
        f"η, {played}": _answer(
            lambda: CertificateNumber(cached_threat_models.eta(setting.release, played).upper, Bound.LOWER)
        )
    }
    advantage = _answer(lambda: CertificateNumber(cached.advantage(setting.release).upper, Bound.LOWER))
    return NotionGuarantee(view, own, _found(view), advantage, NO_STATEMENT)


def _others(subject: CertificateSubject, view: View) -> NotionGuarantee:
    level, curve = cached_threat_models.level(subject.setting.gradients()), view.curve
    largest = 0.0 if curve is None else cached_threat_models.largest_advantage(curve)
    advantage = CertificateNumber(largest, Bound.ESTIMATE)
    return NotionGuarantee(
        view, {"μ": CertificateNumber(level.mu, Bound.ESTIMATE)}, _found(view), advantage, NO_STATEMENT
    )
