"""The formulas behind the noise for a wanted eta, with their sources and corrections."""

from pages.ui.readout import Formula

FORMULAS = (
    Formula(
        r"b = \left(\frac{7.5}{\eta}\right)^{1 + 2/M} \sigma_M, \qquad b = \left(\frac{6.16}{\eta}\right)^{1 + 2/M} "
        r"\sigma_M\ (M \ge 2)",
        "The paper's two constants, from the M-th root of the M-th moment of the spread over random halves.",
        "paper 002 Thm 9, Cor. 14",
        "the proof covers one dimension only; the claim holds (correction 31)",
    ),
    Formula(
        r"\eta \le \tanh\frac{\mathbb{E}\,\lVert\theta - \mathbb{E}\theta\rVert}{2b}, \qquad "
        r"b = \frac{\mathbb{E}\,\lVert\theta - \mathbb{E}\theta\rVert}{2\,\mathrm{artanh}\,\eta}",
        "The sharp bound, for any norm and dimension: the noise is compared with the same noise around one fixed "
        "centre, and total variation is convex. The proof is in the project's docs/sharp_mip_bound.md.",
        "correction 32, new",
    ),
    Formula(
        r"b = \Delta \Big/ \log\frac{1 + 2\eta}{1 - 2\eta}",
        "Differential privacy: Laplace noise for the ε that guarantees η. "
        "Δ is the largest change by one replaced record.",
        "paper 002 Thm 4; corrections 27, 29",
    ),
    Formula(
        r"\eta = \max_x \tfrac14 \int \lvert p_{\mathrm{in}(x)}(t) - p_{\mathrm{out}(x)}(t)\rvert\, dt",
        "The exact η: the densities of the noisy number over all halves with and without record x, integrated in "
        "closed form between neighbouring values.",
        "paper 002 Prop. 2; correction 27",
    ),
    Formula(
        r"\{1, 2, 4, \dots, 2^{n-2}\} \cup \Big\{\tbinom{n}{n/2}^{-1/2} - (2^{n/2-1} - 1)\Big\}, \qquad "
        r"\theta = 1 / \textstyle\sum",
        "Proposition 11's data: one half has a tiny sum, so Δ is almost C(n, n/2)^(1/2), but it is one of very many.",
        "paper 002 Prop. 11",
        "the main text has the exponent 1/2 (correction 35)",
    ),
    Formula(
        r"b_{\mathrm{DP}}(\eta) = b_{6.16}(\eta)",
        "Crossings in Fig. 1, with M = 2; σ is a standard deviation.",
        "paper 002 Fig. 1",
        "the caption calls it a bound on the variance (correction 36)",
    ),
)
ASSUMPTIONS = (
    "A random half of a known pool is used, and one noisy number of it is released.",
    "The noise has density proportional to exp(-|x|/b). In more dimensions its radius is Gamma distributed and its "
    "direction follows the cone measure; the printed sampler breaks the guarantee (corrections 33, 34).",
    "The spread is a property of the data: it has to come from public data or from an assumption. Estimated from the "
    "private data itself it voids the guarantee (correction 34); here it only shows how the bounds compare.",
    "Differential privacy's Δ is taken within the pool, which is the least it can be.",
)
