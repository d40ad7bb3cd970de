"""What the page says around an audit by one run with canaries: its plan, and how it is computed."""

from pages.audit.promise.plan import PlanWords
from pages.ui.readout import Formula

PLAN = PlanWords(
    "{needed} canaries in one run catch {wrong} in place of the promised {promised} in 4 of 5 such audits, with the "
    "best possible scores.",
    "No number of canaries up to a million catches {wrong} in place of the promised {promised} in 4 of 5 audits: what "
    "one run shows stays below the truth. Many runs show more.",
    "Canaries in the run",
    "Computed for the best possible scores, and canaries that do not disturb each other; a real attack usually needs "
    "more.",
)
FORMULAS = (
    Formula(
        r"r_{i+1} \le F(h_i), \; r_i = \sum_{l \ge i} \tfrac{l}{m} p_l, \; h_i = \sum_{l \ge i} \tfrac{g-l}{m} p_l",
        "p_l is the probability that l of g guesses about m canaries are right; F is the most that the promise allows. "
        "The p-value is the largest probability of as many right guesses under these inequalities.",
        "Mahloujifar, Melis and Chaudhuri 2024, Algorithm 3",
    ),
    Formula(
        r"\Pr(v \text{ of } g \text{ right}) \le \Pr\bigl(\mathrm{Bin}(g, \tfrac{1}{1 + e^{-\varepsilon}}) \ge v\bigr)",
        "Where ε is promised with δ = 0: given all before, a guess is right at most as often as a coin that ε allows.",
        "Steinke, Nasr and Jagielski 2023, Theorem 5.2",
    ),
)
