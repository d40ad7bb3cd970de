"""How the page's numbers are computed, and the Python that prints them."""

from numerics.mechanisms import MECHANISMS, Adjacency
from pages.reconstruct.answer import ReconstructionSetting
from pages.ui import cached, prior_guess
from pages.ui.result_header import Formula, of_the_curve
from reports.python_code import constructor, imports

ASSUMPTIONS = (
    "The attacker has candidates for the record and knows everything else: the mechanism and all other records. It "
    "wins by naming the right candidate, or one close enough.",
    "κ is the probability of the attacker's best guess beforehand: 1/n for n equally likely records, the most frequent "
    "candidate of a distribution, or the largest share within the tolerance. For an attribute it is the commonest "
    "value's share, for a person 1/k. It is that of an attacker who knows all other records: frequencies in the "
    "population are the least of that.",
    "The limit of all pages is a point: so many found at so many false alarms. A guess is a test at the rate κ, where "
    "the limit is read through the Gaussian curve of that point; a convention that rises with κ.",
    "One argument for all guesses: the attacker's answer is compared with its answer to a release that does not depend "
    "on what is guessed (the null hypothesis: without the record, or with another in its place), where it is right κ "
    "of the time at most.",
)
_RECONSTRUCTION = Formula(
    r"\gamma(\kappa) = \sup_E \{P(E) : Q(E) \le \kappa\} = 1 - f(\kappa)",
    "No attack names a record more often than the best test finds it present, at the guess's rate of false alarms. How "
    "near one gets depends on the candidates: two can be told apart that well, more exact ones not quite.",
    "paper 003, Theorem 1",
    "Q is the release without the record, as the paper has it; the other direction is another number.",
)
_ATTRIBUTE = Formula(
    r"\max_a \bigl\{\pi\, (1 - f(a)) + (1 - \pi)(1 - a)\bigr\} = 1 - \pi + \pi\, \delta(\log\tfrac{1 - \pi}{\pi})",
    "A yes or no, the rarer answer of probability π: the best test of the two. f is that of replacement, also for a "
    "release stated for add/remove: with add/remove's own curve the formula would say too little.",
    "Kulynych et al. 2025 (arXiv 2507.06969)",
)
_OTHERS = (
    Formula(
        r"\gamma \le \min\{1,\; e^{\varepsilon}\kappa + \delta,\; 1 - e^{-\varepsilon}(1 - \delta - \kappa)\}",
        "What ε and δ promise without knowing the mechanism.",
        "paper 003, Theorem 1",
        "the paper has the first two terms: valid, but not tight (correction 37).",
    ),
    Formula(
        r", \qquad ".join(
            rf"\tilde\mu_{{\mathrm{{{kind.name}}}}} = p\sqrt{{N\,({kind.chi_square_latex})}}"
            for kind in MECHANISMS
            if kind.chi_square_latex
        ),
        "The central limit estimate: no bound, and far too low for rare guesses.",
        "paper 003, Section 2",
        "the square in the exponent, which footnote 3 has, is lost in our copy of Section 2 (correction 39).",
    ),
    Formula(
        r"F(x) = \Phi(x) - \varphi(x) \textstyle\sum_{j=1}^{o} q_j(x)\, N^{-j/2}",
        "Edgeworth of order o has powers of N down to −o/2, by the cumulants of the evidence without and with the "
        "record.",
        "paper 003, Section 2; Zheng et al. 2020",
        "orders are named by their highest power (correction 43).",
    ),
)


def formulas(setting: ReconstructionSetting) -> tuple[Formula, ...]:
    """The steps of the computation, in order."""
    first = _ATTRIBUTE if setting.is_yes_or_no else _RECONSTRUCTION
    return (first, *of_the_curve(setting.release), *_OTHERS)


def assumptions(setting: ReconstructionSetting) -> tuple[str, ...]:
    """What the numbers presuppose; the release's own last."""
    release = setting.release.with_neighbours(Adjacency.REPLACE_ONE) if setting.is_yes_or_no else setting.release
    return (*ASSUMPTIONS, *release.assumptions[:-1])


def parameters(setting: ReconstructionSetting) -> dict[str, str]:
    """What stands on top of the data."""
    return {
        "release in force": constructor(setting.release),
        "guessed": setting.known.guessed.value,
        "prior in force": f"kappa = {setting.prior!r} {setting.known.words}".strip(),
        "limit": f"right at most {setting.limit.words} times{setting.limit.stated}",
        "delta": f"{setting.choice.delta:g}",
        "reconstruction": "no attack is right more often than the guarantee; the best test of presence reaches the "
        "demonstrated attack's, and whether naming a record does depends on the data",
    }


def snippet(setting: ReconstructionSetting) -> str:
    """Python that prints the numbers on the page; run it in the project's folder."""
    name = "yes or no" if setting.is_yes_or_no else "reconstruction"
    return f"""from numerics import reconstruction
{imports(setting.release)}
from numerics.privacy_loss import Precision

mechanism = {constructor(setting.release)}
prior, delta = {setting.prior!r}, {setting.choice.delta!r}
print("{name}:", {prior_guess.in_python("mechanism", setting.known)})
epsilon = mechanism.epsilon(delta, {cached.EPSILON_WIDTH!r}, {cached.PRECISION!r}).upper
print("epsilon:", epsilon)
print("from epsilon and delta alone:", reconstruction.from_epsilon_delta(epsilon, delta, prior))
"""
