"""Corrections to paper 003, reconstruction robustness, and to the curves it shares with paper 000."""

from pages.about.correction import Correction, Kind

PAPER_003 = (
    Correction(
        37, "003", "Thm 1, Cor. 1", "reconstruction from (ε, δ)", Kind.CHECKED,
        r"$\gamma \le \min\{1,\; e^\varepsilon\kappa + \delta\}$",
        r"Valid. Tight is $\min\{1,\; e^\varepsilon\kappa + \delta,\; 1 - e^{-\varepsilon}(1 - \delta - \kappa)\}$.",
        "Beyond small priors the printed bound says nothing where the tight one still limits the attacker.",
        "ε = 1, δ = 0, κ = 0.5: 1 as printed, 0.81606 tight. The printed e^−μ / 4α means e^−μ / (4α).",
    ),
    Correction(
        38, "003", "Cor. 2", "N equal Gaussian releases", Kind.MISPRINT,
        r"$\sqrt{N\mu}$",
        r"$\sqrt{N}\,\mu$",
        "For effect sizes below 1 the misprint promises far too little privacy, above 1 far too much.",
        "μ = 0.25, N = 16, α = 0.1: simulated 0.38911 ± 0.00024; right 0.38914, printed 0.76376.",
    ),
    Correction(
        39, "003", "Sec. 2", "central limit estimate of sampled steps", Kind.MISPRINT,
        r"$\tilde\mu = p\sqrt{N(e^{\mu} - 1)}$",
        r"$\tilde\mu = p\sqrt{N(e^{\mu^2} - 1)}$",
        "At μ = 1 the two agree, which hides the lost square; for μ above 1 the misprint promises too much privacy.",
        "μ = 0.5, p = 0.01, N = 10,000, α = 0.1: certified 0.22714; right 0.22705, printed 0.31699. An estimate, no "
        "bound.",
    ),
    Correction(
        40, "003", "Sec. 4.3", "epsilon of sampled Laplace steps", Kind.WRONG,
        r"$\varepsilon = \log\bigl(1 + p(e^{N\Delta/b} - 1)\bigr)$",
        r"$\varepsilon = N\log\bigl(1 + p(e^{\Delta/b} - 1)\bigr)$",
        "Amplifying once after composing is safe, but overstates epsilon many times over.",
        "Δ/b = 0.5, p = 0.1, N = 10: 2.756 as printed, 0.6285 exactly.",
    ),
    Correction(
        41, "003", "Sec. 4.3", "delta of Gaussian noise", Kind.MISPRINT,
        r"$\Phi(-\tfrac{\varepsilon}{\mu} + \tfrac{\mu}{2})\; e^\varepsilon\Phi(-\tfrac{\varepsilon}{\mu} - "
        r"\tfrac{\mu}{2})$",
        r"$\Phi(-\tfrac{\varepsilon}{\mu} + \tfrac{\mu}{2}) - e^\varepsilon\Phi(-\tfrac{\varepsilon}{\mu} - "
        r"\tfrac{\mu}{2})$",
        "Without its minus sign it is a product: too small for strong effects, and far too large for weak ones.",
        "ε = μ = 1: simulated 0.12681 ± 0.0001; right 0.126937, the product 0.0560.",
    ),
    Correction(
        42, "003", "Sec. 4", "which data set is the null hypothesis", Kind.UNSTATED,
        "the trade-off function is symmetric “without loss of generality”",
        r"null: the record is *absent*. At N = 1: $\gamma = p\,(1 - f(\kappa)) + (1 - p)\,\kappa$",
        "Sampled mechanisms have different curves in the two orders; the wrong one hides most of what is "
        "reconstructed.",
        "μ = 2, p = 0.1, N = 1, κ = 0.01: simulated 0.04617 ± 0.0001; the other order says 0.0111.",
    ),
    Correction(
        43, "003", "Sec. 2, Figs. 3, 4", "how orders of the Edgeworth series are counted", Kind.UNSTATED,
        "“order four, O(N⁻²)”; the mechanisms of Figure 4 are “identical”",
        "orders are named here by the highest power of N^(−1/2) kept; the paper's four is three here",
        "Figure 4's mechanisms are equal to 0.4 %, not identical.",
        "μ = 1, p = 0.1, N = 100, α = 0.01: errors of orders 0 to 4: −0.049, −0.0041, +0.0020, −0.00016, −0.000067.",
    ),
)  # fmt: skip
