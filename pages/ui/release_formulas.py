"""Which formulas stand behind a release's numbers: for "How this is computed"."""

from numerics.mechanisms import Mechanism
from numerics.trade_off import Bound
from pages.ui.readout import Formula

_SAMPLED = Formula(
    r"f_p(\alpha) = p\, f(\alpha) + (1 - p)(1 - \alpha)",
    "The record takes part with probability p only (null: it is absent). The remove-one order is the inverse function.",
    "paper 000, Lemma 9; paper 003, Corollary 3",
)
_COMPOSED = Formula(
    r"\begin{gathered} f_{\mathrm{lower}} \le f \le f_{\mathrm{upper}} \\ "
    r"L = \textstyle\sum_{i=1}^{N} \log\tfrac{dP}{dQ}(x_i) \end{gathered}",
    "The attacker's evidence L is a sum over the steps. Its law is brought onto a lattice from either side, summed by "
    "Fourier transform, and read as a guarantee and as an attack that exists; rounding is allowed for.",
    "lower curve: connect the dots, Doroshenko et al. 2022; upper curve: exact law of the rounded likelihood ratio",
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
        return (_COMPOSED,)
    noise = Formula(*form.shift.formula)
    return (noise,) if form.rate == 1.0 else (noise, _SAMPLED)
