"""How attack scores of one model are measured."""

from pages.ui.readout import Formula

FORMULAS = (
    Formula(
        r"\Pr(\mathrm{TPR} \ge L) \ge 1 - r",
        "A threshold is a preset order statistic of the outsiders' scores, whose rate has a beta law; members above it "
        "are counted, with Clopper and Pearson's limit. Both share the risk r.",
        "Clopper and Pearson 1934",
    ),
    Formula(
        r"\mathrm{kl}(\hat{A}, A) \le \frac{\log(2 / r)}{\min(n_0, n_1)}",
        "The area under the curve is an average over disjoint pairs, so Chernoff's bound holds for it, ties or not. "
        "DeLong's interval beside it is an estimate.",
        "Hoeffding 1963, Section 5",
    ),
)
