"""How epsilon* is computed, in formulas, and what the losses show at a rate that can be counted."""

from numerics.epsilon_star import LossScale, LowerBound, Method
from numerics.epsilon_star.summary import FOUND_AT
from pages.audit.epsilon_star.audits import EpsilonStarAudit
from pages.audit.epsilon_star.options import Options
from pages.ui.numbers_in_words import CROWD, counted, rounded_up
from pages.ui.readout import Formula, heard
from reports.sheet import Against, Standing


def counted_sentence(audit: EpsilonStarAudit) -> str:
    """What the losses themselves show at a rate of errors that can be counted, on the side of the bound."""
    term = audit.bound.maxima[0].term
    found = round(audit.summary.found[term] * CROWD)
    luck = round(FOUND_AT * CROWD)
    if term.names_members:
        return (
            f"Counted here: of {CROWD:,} people in the training data, a threshold finds **{found:,}** while falsely "
            f"accusing {counted(FOUND_AT, CROWD)} outsiders; blind guessing finds {luck}."
        )
    return (
        f"Counted here: of {CROWD:,} outsiders, a threshold rules out **{found:,}** while wrongly ruling out "
        f"{counted(FOUND_AT, CROWD)} people in the training data; blind guessing rules out {luck}."
    )


def against(bound: LowerBound, limit: float) -> str:
    """What the bound says of a limit on epsilon*, as Markdown: an audit never shows that a limit is kept."""
    if bound.value > limit:
        return f":orange[✕ Over your limit of {limit:g}.]"
    if bound.attainable <= limit:
        return f"Too few losses to test a limit of {limit:g}: they can show at most {rounded_up(bound.attainable)}."
    return f"Not shown to be over your limit of {limit:g}: that is no proof that it is kept."


def on_sheet(bound: LowerBound, limit: float) -> Against:
    """The same as the sheet has it."""
    standing = Standing.OVER if bound.value > limit else Standing.OPEN
    return Against(standing, f"ε* of at most {limit:g}", heard(against(bound, limit)))


_MIXTURE = Formula(
    r"\varphi \sim \textstyle\sum_{k=1}^{K} w_k\, N(m_k, s_k^2)",
    "Several normal laws are mixed, for each group; K is chosen by a criterion or by hand, the laws by expectation "
    "maximisation. Tails beyond the data are the laws' own.",
    "paper 001, Section 4",
)
_BOUND = Formula(
    r"\Pr\bigl(\hat\varepsilon^*_{\mathrm{lower}} \le \varepsilon^*\bigr) \ge 1 - \textstyle\sum_i \alpha_i",
    "The lower bound: at thresholds fixed in advance by rank, the ratio has an exact binomial limit, and the risk is "
    "shared by all of them (union bound): right in finite samples, for any laws, all four ratios together.",
    "beyond the paper; Clopper and Pearson 1934",
)
_LOG_ODDS = Formula(
    r"\varphi = \log \frac{p}{1 - p} = -\log\bigl(e^{\ell} - 1\bigr)",
    "The log odds of the right answer: of a cross-entropy ℓ in nats, or as they came. Normal laws are fitted by "
    "moments; −φ is used, which grows with the loss.",
    "beyond the paper; Carlini et al. 2022",
)
_PRINTED = Formula(
    r"\begin{gathered} x = 1 + \frac{\ell - \ell_{\min}}{\ell_{\max} - \ell_{\min}}, \quad p = e^{-x} \\ "
    r"\varphi = \log p - \log(1 - p) \end{gathered}",
    "Losses of both groups are scaled together, and normal laws are fitted by moments. φ falls as the loss grows; "
    "here −φ is used, which keeps the order.",
    "paper 001, Section 8.1",
    "our copy has lost the minus sign of φ; the transform is nearly affine, so in the limit normal laws are fitted to "
    "the raw losses (corrections 22, 24).",
)
COMMON = Formula(
    r"\begin{gathered} \varepsilon^* = \log \max_\tau \max \Bigl( \tfrac{1-\delta-\eta}{t}, "
    r"\tfrac{1-\delta-t}{\eta}, \\ \tfrac{\eta-\delta}{1-t}, \tfrac{t-\delta}{1-\eta}, 1 \Bigr) \end{gathered}",
    "t is the share of outsiders with a loss up to τ, η the share of members beyond it. The maximum is taken over all "
    "thresholds, on a log scale, each rate from its own tail.",
    "paper 001, Equation 7",
    "our copy of the display in Section 3.1 has other denominators; all four ratios count; without a clip, which would "
    "leave the maximum out (corrections 19, 20, 23).",
)


def formulas(options: Options) -> tuple[Formula, ...]:
    """The steps of the computation, in order: the bound first."""
    if not options.is_fit:
        return _BOUND, COMMON
    scale = _PRINTED if options.scale is LossScale.PRINTED else _LOG_ODDS
    return (_BOUND, COMMON, scale, *((_MIXTURE,) if options.method is Method.MIXTURE else ()))
