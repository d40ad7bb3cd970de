"""Corrections to paper 001, Epsilon*."""

from pages.about.correction import Correction, Kind

PAPER_001 = (
    Correction(
        18, "001", "Eqs. 7, 10–13, 20; Thm 2", "the definition over thresholds", Kind.CHECKED,
        "the maximum of four quotients, and the inequality for several model instances",
        "As printed.",
        "Equation 7 is what is computed.",
        "The inequality of Theorem 2 was tried on 100,000 random mixtures: its slack is never below −2·10⁻¹⁵.",
    ),
    Correction(
        19, "001", "Sec. 3.1", "denominators of the third and fourth quotient", Kind.MISPRINT,
        r"$\dfrac{\eta - \delta}{\eta}$ and $\dfrac{t - \delta}{1 - t}$",
        r"$\dfrac{\eta - \delta}{1 - t}$ and $\dfrac{t - \delta}{1 - \eta}$",
        "As printed, two identical populations get a large Epsilon*: a model that leaks nothing fails the audit.",
        "Identical populations, δ = 10⁻⁶: log((1 − 2δ)/δ) = 13.8 under the paper's own clip, infinity without it; "
        "right "
        "is 0.",
    ),
    Correction(
        20, "001", "Def. 1", "only one half-line is looked at", Kind.WRONG,
        r"sets of the form $\{\text{loss} \le \tau\}$, which give quotients 1 and 4",
        "both half-lines, which give all four",
        "Read literally, the definition loses the largest quotient of the paper's own example.",
        "Normal limit of the Gamma example, shift 1: logs 0.664, **7.675**, 0.00005 and 0.480; the literal reading "
        "returns 0.664.",
    ),
    Correction(
        21, "001", "Thm 1", "names of the two errors", Kind.MISPRINT,
        "rejecting “drawn from D₀” on a draw from D₀ is a false *negative*",
        "it is a false *positive*: t is the false positive and η the false negative rate throughout",
        "Software that takes the names literally exchanges the two error rates.",
        "By definition. The footnote's “1/n log n” means 1/(n log n), and “reduced by up to 800 %” a factor of 8.",
    ),
    Correction(
        22, "001", "Sec. 3", "direction of the logit of the loss", Kind.CHECKED,
        "a larger loss has a smaller logit",
        "Right; the maximum of the four does not mind, but single quotients change places (1 with 3, 2 with 4).",
        "Single quotients are therefore reported here with their orientation.",
        "4.759858769553615 either way.",
    ),
    Correction(
        23, "001", "footnote 2", "the clip “against floating point errors”", Kind.WRONG,
        r"restrict both rates to $[\delta, 1 - \delta]$",
        "no clip: exact tails on a log scale",
        r"The clip caps Epsilon* at $\log((1 - 2\delta)/\delta)$ and usually cuts off the maximum, far out in a tail.",
        "N(0,1) against N(3,1), δ = 10⁻⁶: exact 18.163, with the clip 10.591; the maximum lies at a false positive "
        "rate of "
        "2·10⁻¹⁴.",
    ),
    Correction(
        24, "001", "Sec. 4", "consistency of the parametric estimate", Kind.WRONG,
        "fit normals to losses scaled by their pooled extremes",
        "as samples grow the scaling becomes a straight line: in the limit normals are fitted to the raw losses",
        "More data do not bring the estimate closer to the truth.",
        "Gamma(2) against Gamma(2 + d), δ = 10⁻⁵: limits 7.67, 17.52, 28.91 for d = 1, 2, 3; truth 5.55, 11.92, 18.64.",
    ),
    Correction(
        25, "001", "Sec. 4", "“a valid lower bound”", Kind.WRONG,
        "the estimate bounds the privacy loss from below",
        "only with a confidence statement; one is offered beside the paper's estimates",
        "A number that is positive on identical populations bounds nothing from below.",
        "Identical populations of 1,000 losses: parametric 0.63 on average, empirical 1.45; of 100,000: 0.042 and "
        "0.19.",
    ),
    Correction(
        26, "001", "Sec. 4", "unequal spreads", Kind.UNSTATED,
        "two normals are fitted",
        "a tiny difference of their spreads alone makes Epsilon* large",
        "The page shows the fitted ratio of the spreads, and warns beyond 1 %.",
        "Equal means, δ = 10⁻⁵: ratio 1.01 gives 0.097, 1.1 gives 1.457, 2 gives 25.7.",
    ),
)  # fmt: skip
