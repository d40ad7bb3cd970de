"""Which formulas stand behind a release's numbers: for "How this is computed"."""

from collections.abc import Mapping
from types import MappingProxyType

from numerics.mechanisms import Mechanism
from numerics.trade_off import Bound
from pages.ui.readout import Formula

_SAMPLED = Formula(
    r"f_p(\alpha) = p\, f(\alpha) + (1 - p)(1 - \alpha)",
    "The record takes part with probability p only (null: it is absent). The remove-one order is the inverse function.",
    "paper 000, Lemma 9; paper 003, Corollary 3",
)
_SEVERAL_RECORDS = Formula(
    r"f_{k,p}(\alpha) = \textstyle\sum_{j=0}^{k} \binom{k}{j} p^j (1 - p)^{k-j} f_j(\alpha)",
    "Each of a person's k records takes part with probability p (null: the person is absent). Where j of them do, the "
    "best test has the curve f_j, and guesses where none does. The remove-one order is the inverse function.",
    "Ganesh 2024, arXiv 2401.10294",
)
_SUMMED = (
    r"L = \textstyle\sum_{i=1}^{N} \log\tfrac{dP}{dQ}(x_i)",
    "The attacker's evidence L is a sum over the steps. Its law is brought onto a lattice from the safe side, summed "
    "by Fourier transform, and read as a guarantee; rounding is allowed for.",
    "connect the dots, Doroshenko et al. 2022",
)
_ATTACKED: Mapping[Bound, str] = MappingProxyType(
    {
        Bound.CERTIFIED: "The exact law of the rounded likelihood ratio, summed likewise, is an attack that exists.",
        Bound.OPEN: "P and Q are at least as easy to tell apart as what is released. Laws that a known attack tells "
        "apart are summed likewise; it reaches less.",
        Bound.LOWER: "P and Q are at least as easy to tell apart as what is released; no attack is known.",
    }
)
_PROFILE = Formula(
    r"\begin{gathered} \delta(\varepsilon) = \max_\alpha\, \bigl(1 - f(\alpha) - e^{\varepsilon}\alpha\bigr) \\ "
    r"\text{advantage} = \delta(0) \end{gathered}",
    "Epsilon, delta and the advantage are read off the curve, of both orders the worse.",
    "Dong, Roth and Su 2022; Wasserman and Zhou 2010",
)
_POSTERIOR = Formula(
    r"P = \frac{\pi\,\mathrm{TPR}}{\pi\,\mathrm{TPR} + (1 - \pi)\,\mathrm{FPR}}",
    "What an accusation is worth: the probability that the accused is a member, at prior π.",
    "Bayes' rule",
)


def formulas(release: Mechanism) -> tuple[Formula, ...]:
    """The steps of the computation, in order."""
    return (*of_the_curve(release), _PROFILE, _POSTERIOR)


def of_the_curve(release: Mechanism) -> tuple[Formula, ...]:
    """How the release's trade-off curve comes about."""
    form = release.closed_form
    if release.bound is not Bound.EXACT or form is None:
        latex, words, source = _SUMMED
        return (Formula(latex, f"{words} {_ATTACKED[release.bound]}", source),)
    noise = Formula(*form.shift.formula)
    if form.rate == 1.0:
        return (noise,)
    return noise, _SAMPLED if release.records_per_person == 1 else _SEVERAL_RECORDS
