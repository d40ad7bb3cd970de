"""How the four views are computed, and the Python that prints the same numbers."""

from collections.abc import Collection

from pages.ui import cached
from pages.ui.result_header import Formula
from pages.ui.threat_models import (
    ATTACKERS,
    OTHERS,
    RELAXED,
    SAMPLE,
    ReleaseSetting,
    ThreatModel,
    eta_lines,
    membership_lines,
    relaxed_lines,
)
from reports.python_code import constructor, imports

_FULL_KNOWLEDGE = (
    Formula(
        r"f(\alpha) = \inf_{\text{tests}} \{\beta : \text{false alarms} \le \alpha\}",
        "DP: the best test of both data sets; “How this is computed” on Mechanism has its steps.",
        "Dong, Roth and Su 2022",
    ),
)
_LESS_KNOWN = (
    Formula(
        r"P^{\otimes N} \;\text{against}\; \tfrac12 Q_+^{\otimes N} + \tfrac12 Q_-^{\otimes N}",
        "RTM, several sampled steps: the Bayes test for a record on either side, from the joint law of the evidence "
        "for both sides by a two-dimensional Fourier transform; its numerical error is stated.",
        "correction 15",
        "the paper's several steps are the power of one statistic; this is the best test (correction 15).",
    ),
    Formula(
        r"\eta = \tfrac12 \mathrm{TV}, \qquad \mathrm{TPR} \le 1 - f(\mathrm{FPR})",
        "MIP: accuracy above one half in the game named. Given who else was drawn, two neighbours remain: with "
        "independent coins one record more or less, with exact halves one replaced. As f is convex, its limit holds on "
        "average over the others too.",
        "paper 002, Proposition 2 and Theorem 8",
        "η alone limits TPR to FPR + 2 η; the paper has FPR + η (correction 28). The two games have two etas "
        "(correction 27).",
    ),
    Formula(
        r"n_{\mathrm{eff}} = n + s^2, \quad \mu_{\mathrm{step}} = "
        r"\frac{d + (2 n_{\mathrm{eff}} - 1) K}{n_{\mathrm{eff}} \sqrt{2 d + 4 n_{\mathrm{eff}} K}}, \quad "
        r"\mu = \sqrt2\, c \sqrt{e^{\mu_s^2} \Phi(1.5 \mu_s) + 3 \Phi(-0.5 \mu_s) - 2}, \; c = \tfrac{n \sqrt T}{N}",
        "GMIP, which stands apart (a record replaced, batches of fixed size): the other gradients of the batch hide "
        "the record like noise of their own. The level is the lesser of this one and Gaussian DP's; sampling enters by "
        "a limit, so it is an estimate, shown nowhere above the guarantee.",
        "paper 004, Theorem 5.1, Corollary 5.1 and Equation 10",
        "K is centred, and K = d is a typical record, not the worst (corrections 45, 46, 50 to 52).",
    ),
)


def formulas(setting: ReleaseSetting) -> tuple[Formula, ...]:
    """What stands behind the views of this release."""
    laws = dict.fromkeys(phase.shift_law for phase in setting.phases)
    folded = [Formula(*law.folded_formula) for law in laws if law is not None and law.folded_formula is not None]
    return (*_FULL_KNOWLEDGE, *folded, *_LESS_KNOWN)


def snippet(setting: ReleaseSetting, models: Collection[ThreatModel] = ATTACKERS) -> str:
    """Python that prints the rates of these attackers; run it in the project's folder."""
    alpha, order = setting.choice.alpha, setting.choice.order
    full = constructor(setting.release)
    sample = 'print("does not know who was drawn: at most", full.upper)\n'
    said = {RELAXED: relaxed_lines, SAMPLE: lambda at: sample + eta_lines(at), OTHERS: membership_lines}
    rest = "\n".join(lines(setting) for model, lines in said.items() if model in models)
    return f"""import numpy as np

from numerics import membership, relaxed
from numerics.gaussian_membership import GradientRelease, StepTest, level
{imports(setting.release)}
from numerics.membership import Game
from numerics.privacy_loss import Precision
from numerics.trade_off import Order

alpha, order, precision = {alpha!r}, Order.{order.name}, {cached.PRECISION!r}
release = {full}
full = release.power(alpha, order, precision)
print("knows all but the noise:", full)
{rest}"""
