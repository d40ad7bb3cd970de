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
        r"\eta_x \le \tfrac12\, \mathbb{E}_{S,y}\bigl[1 - e^{-t/2b}\bigr], \quad t = \lVert\theta(S) - "
        r"\theta(S - x + y)\rVert; \qquad \delta_x(\varepsilon) \le \mathbb{E}_{S,y}\bigl[1 - "
        r"e^{(\varepsilon - t/b)/2}\bigr]_+",
        "The one-swap bound: put another record in the place of x, and a half S with x is a half without it, so both "
        "mixtures are made of pairs that differ by one swap. It holds for the whole curve, and b is the noise at which "
        "the bound of the record hidden least is η. Noise of any norm and dimension has tanh(t/2b) in place of "
        "1 − e^(−t/2b), Gaussian noise 2Φ(t/2σ) − 1. The pairs are the graph of the paper's Lemma 12; the bound is "
        "ours, its proof in the project's docs/one_swap_bound.md.",
        "correction 32, new",
    ),
    Formula(
        r"b = \frac{\Delta}{-2 \log(1 - 2\eta)}, \qquad b_{\text{Fig. 1}} = \Delta \Big/ \log\frac{1 + 2\eta}{1 - "
        r"2\eta}",
        "Differential privacy: Δ is the largest change by one replaced record, where the one-swap bound has the mean. "
        "η is half of the total variation of Laplace noise at Δ; the paper's Fig. 1 has the noise for the ε that "
        "guarantees η, which is more.",
        "paper 002 Prop. 2, Thm 4; corrections 27, 30",
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
        "our copy of the main text has lost the minus sign of the exponent (correction 35)",
    ),
    Formula(
        r"b_{\mathrm{DP}}(\eta) = b_{6.16}(\eta)",
        "Crossings in Fig. 1, with M = 2; σ is a standard deviation.",
        "paper 002 Fig. 1",
        "the text calls it a bound on the variance (correction 36)",
    ),
)
ASSUMPTIONS = (
    "A random half of a known pool is used, and one noisy number of it is released.",
    "The noise has density proportional to exp(-|x|/b). In more dimensions its radius is Gamma distributed and its "
    "direction follows the cone measure (correction 34); the paper's Laplace radius breaks the guarantee "
    "(correction 33).",
    "Exactly half of the records is used, and their number is even. If each is used by a coin of its own, the "
    "guarantees for exact halves do not apply.",
    "Spread and swaps are properties of the data: they have to come from public data or from an assumption. Estimated "
    "from the private data itself they carry no guarantee, as the paper says (correction 34); here they only show how "
    "the bounds compare.",
    "Differential privacy's Δ is taken from the range of these data, which is the least it can be; data without limits "
    "have none.",
)
