"""How each audit is computed: formulas, sources, corrections."""

from numerics.audits import Attacker, Canary
from pages.ui.readout import Formula

LIMITS = Formula(
    r"\underline{P}\,\le\,P(\text{accuse}\mid\text{member})\,\le\,\overline{P}",
    "The curve accuses the share α of the scores without the record. Its limits are exact for every law of the scores: "
    "an order statistic on either side of the true threshold (its rate has a binomial law), and Clopper and Pearson's "
    "limit of the power there, at a quarter of the risk each.",
    "Clopper and Pearson 1934",
)
_MASK = Formula(
    r"g = \text{noise} + B \cdot \Delta e_1,\qquad B \sim \text{Bernoulli}(p)",
    "Each step releases noise, and the record's gradient where it takes part: of largest norm, all in one coordinate.",
    "paper 000 Figs. 3b, 5b and 6",
    "sampling masks the record, not the noise (correction 14).",
)
_RATIO = Formula(
    r"S = \sum_{t} \log\frac{(1-p)\,\nu_0(g_t) + p\,\nu_1(g_t)}{\nu_0(g_t)}",
    "Who knows the record sums the log-likelihood ratios of all steps; for replace-one, those of both records.",
    "Neyman and Pearson",
)
OFFLINE = [
    Formula(
        r"S = -\log \Phi\!\left(\frac{\hat m - \ell}{\hat s}\right),\qquad \ell = \log\frac{f_y}{1 - f_y}",
        "The logit of the canary in the model under test, against the normal law of its logits in 256 shadow models "
        "trained without it.",
        "paper 000 Fig. 3a",
    ),
    Formula(
        r"\beta \ge \Phi\!\left(\Phi^{-1}(1-\alpha) - \sqrt{T}/s\right)",
        "The theory is the guarantee of the training's noise against every attack. One step hides nothing from the "
        "logit; several steps, or records left out at random, do.",
        "paper 000 Section 3",
    ),
]
GLIR = [
    Formula(
        r"S = \tfrac{1}{n_\text{eff}} \lVert n (m - \mu) - n_\text{eff} (\theta - \mu) \rVert^2_{\Sigma^{-1}},"
        r"\qquad n_\text{eff} = n + s^2",
        "Is the gradient θ part of the average m? Small values mean yes.",
        "paper 004 Algorithm 1",
        "the factor is n, the susceptibility is centred, the p-value has F and not its inverse (corrections 45-48).",
    ),
    Formula(
        r"\beta = 1 - F_{\chi'^2_d((n_\text{eff}-1)K)}\!\left(\tfrac{n_\text{eff}}{n_\text{eff}-1}\,"
        r"F^{-1}_{\chi'^2_d(n_\text{eff} K)}(\alpha)\right)",
        "The best attack on normal gradients.",
        "paper 004 Eq. 8",
        "the effective batch is n + s² (correction 44).",
    ),
]
ESTIMATED = Formula(
    r"K = d",
    "The theory takes every record's susceptibility for the typical one, although they differ. The attacker estimates "
    "mean and covariance, and gradients are not normal: measured curves lie on the weak side of the theory.",
    "paper 004 Fig. 2b",
    "K = d is typical, not the worst case (correction 46).",
)


def canary(subject: Canary) -> list[Formula]:
    """Formulas of either attacker."""
    if subject.attacker is Attacker.FULL_KNOWLEDGE:
        return [_MASK, _RATIO]
    magnitude = Formula(
        rf"S = \left\lVert \tfrac{{1}}{{T}} \textstyle\sum_t g_t \right\rVert_{subject.norm}",
        "Who does not know the record looks at the length of the mean over the steps. With several sampled steps the "
        "theory is the power of this statistic, or the relaxed guarantee for noise whose mean has no known law.",
        "paper 000 Eq. 4 and Lemma 8",
        "the mean of the steps is taken, along one common direction (corrections 9, 11).",
    )
    return [_MASK, magnitude]
