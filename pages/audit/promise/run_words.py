"""What the page says around an audit by many runs: its plan, and how it is computed."""

from pages.audit.promise.plan import PlanWords
from pages.ui.readout import Formula

PLAN = PlanWords(
    "{needed} runs with the record and as many without catch {wrong} in place of the promised {promised} in 4 of 5 "
    "such audits.",
    "Not even ten million runs catch {wrong} in place of the promised {promised} in 4 of 5 audits.",
    "Runs with the record, and as many without",
    "Computed for the best attack there is; a weaker one needs more runs.",
)
FORMULAS = (
    Formula(
        r"p_j = \mathrm{E}_U\, \Pr\bigl(\mathrm{Bin}(n_1, F(U)) \ge a\bigr), \quad U \sim \mathrm{B}(j, n_0 - j + 1)",
        "At the j-th largest of n₀ scores without the record, a of the n₁ scores with it lie above; F is the most that "
        "the promise allows. All four ways to read the scores are tried at preset ranks, and the p-values are "
        "multiplied by their number.",
        "beyond the papers; the ranks' beta law and the union bound",
    ),
)
