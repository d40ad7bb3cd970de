"""What attack scores of one model show, in words."""

from numerics.audits import AreaUnderCurve, TruePositiveRate
from pages.ui.numbers_in_words import CROWD, rounded_down, rounded_up
from pages.ui.readout import Formula

NOT_A_PROOF = (
    "About this model and this attack: nothing follows for the code that trained it, and a better attack may exist."
)
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
ASSUMPTIONS = (
    "Members and outsiders are independent draws from one source, before the split.",
    "The attack, with its reference models, did not use these labels.",
    "Rows are independent of each other: one row a person.",
)


def sentence(rate: TruePositiveRate, level: float) -> str:
    """How many members are named while 1 % of outsiders are falsely accused."""
    wronged, found = round(rate.alpha * CROWD), round(rate.value * CROWD)
    before = (
        f"While falsely accusing {wronged:,} of {CROWD:,} outsiders, this attack names {found:,} of {CROWD:,} members "
        f"(guessing: {wronged:,})"
    )
    if rate.lower is None:
        return f"{before}; how many at least takes {rate.needed:,} outsiders, and there are {rate.null:,}."
    least = int(rate.lower * CROWD)
    return f"{before}: **at least {least:,}**, with {100 * level:g} % confidence."


def details(strict: TruePositiveRate, area: AreaUnderCurve, gained: float, level: float) -> str:
    """The same at 0.1 %, the area and the advantage."""
    if strict.lower is None:
        small = f"At 0.1 % nothing can be said: it takes {strict.needed:,} outsiders, and there are {strict.null:,}."
    else:
        small = f"At 0.1 % false alarms at least {rounded_down(strict.lower)} of the members."
    low, high = rounded_down(area.lower), rounded_up(area.upper)
    return (
        f"{small} Area under the curve {area.value:.3f}: {low} to {high}, proven; {area.estimate[0]:.3f} to "
        f"{area.estimate[1]:.3f}, an estimate. Advantage at least {rounded_down(gained) if gained else 0} "
        f"({100 * level:g} %)."
    )
