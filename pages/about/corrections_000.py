"""Corrections to paper 000, the relaxed threat model."""

from pages.about.correction import Correction, Kind

PAPER_000 = (
    Correction(
        1, "000", "Eq. 2", "the folded Laplace curve", Kind.CHECKED,
        r"$j(\alpha) = -e^{-\mu}\sinh\log\alpha$ from $\alpha = e^{-\mu}$ on, else $1 - \alpha\cosh\mu$",
        "As printed.",
        "A kink was suspected where the two branches meet; the slope is continuous and the curve convex.",
        "The least second difference on a fine grid is −2·10⁻¹⁶. Simulated at μ = 1, α = 0.05: 0.92327 ± 0.0002, "
        "formula "
        "0.92285.",
    ),
    Correction(
        2, "000", "Eq. 3", "where the inverse changes its branch", Kind.MISPRINT,
        r"threshold $\tfrac12 - \tfrac12 e^{-\mu}$",
        r"threshold $\tfrac12 - \tfrac12 e^{-2\mu}$",
        "The printed curve jumps upwards, is not convex and is not the inverse of Equation 2.",
        "At μ = 1 it jumps by 0.016 at α = 0.316 and applying it after j misses α by up to 0.016; the corrected one by "
        "2·10⁻¹⁶.",
    ),
    Correction(
        3, "000", "Def. 2", "what the inverse of a test is", Kind.UNSTATED,
        r"$T^{-1} = \Psi_P(\Phi_Q^{-1}(\alpha))$, easily read as “exchange P and Q in T”",
        r"the reverse test rejects *small* distances; $T^{-1}$ is the inverse function of $T$",
        "With the laws exchanged but the tail kept, the “attacker” does worse than somebody who guesses.",
        "Laplace noise, μ = 1, α = 0.05: 0.9676, more than the 0.95 of guessing; right is 0.8733.",
    ),
    Correction(
        4, "000", "Lemma 4", "for which noise the distance is the best test", Kind.UNSTATED,
        "symmetric noise",
        "noise whose *folded* likelihood ratio never falls with the distance, such as Laplace and Gaussian",
        "For other symmetric noise thresholding the distance is not the best attack; such noise is not offered here.",
        "Uniform noise on (−1, 1), μ = 0.5, α = 0.25: the best test errs 0.5, the distance 0.625.",
    ),
    Correction(
        5, "000", "Sec. 3", "what the relaxed curve certifies", Kind.UNSTATED,
        "the “optimal” adversary of the relaxed threat model",
        r"$j = T(P, \tfrac12 Q_{+} + \tfrac12 Q_{-})$: the best attack when either side is equally likely",
        "An attacker who guesses the side right reaches the curve of full knowledge, which is therefore always shown "
        "too.",
        "The relaxed curve lies above the full-knowledge curve by no less than 0 everywhere (to 10⁻¹⁶).",
    ),
    Correction(
        6, "000", "Def. 3", "joining the two orders of the test", Kind.UNSTATED,
        r"$C(j, j^{-1})$ by the rule of two cases: $\max\{j, j^{-1}\}$ where the fixed point lies beyond the slope −1",
        r"$J = (\min\{j, j^{-1}\})^{**}$, the lower convex envelope of the smaller one",
        "For Laplace noise the rule takes the larger curve and promises more privacy than there is.",
        "Effect size 0.6, α = 0.1: 0.8815 by the rule, 0.8343 in truth, and an attack reaches the latter.",
    ),
    Correction(
        7, "000", "Eqs. 4, 5, 15–17, 19; Lemma 9", "the closed forms of one release", Kind.CHECKED,
        "the folded Gaussian curve in d dimensions, its form for d = 1, and sampling of one step",
        "As printed. The remark after Eq. 18 on a sign is wrong, without consequence.",
        "These are the formulas that the pages on the mechanism and on attackers use.",
        "They agree with values of 50 digits and with simulations.",
    ),
    Correction(
        8, "000", "Lemma 8", "missing parentheses", Kind.MISPRINT,
        r"$\kappa = (\Delta_a + \Delta_b)^2 / \sigma_a^2 + \sigma_b^2$, $\;\sigma_c^2 = \sigma_a^2 + \sigma_b^2/4$",
        r"$\kappa = (\Delta_a + \Delta_b)^2 / (\sigma_a^2 + \sigma_b^2)$, $\;\sigma_c^2 = (\sigma_a^2 + \sigma_b^2)/4$",
        "As printed, more noise in the second release would make the record easier to find.",
        "Noise 1 and 3, sensitivities 1: 13 as printed, 0.4 in truth.",
    ),
    Correction(
        9, "000", "Lemma 8", "the mean of unequal releases as a guarantee", Kind.WRONG,
        r"$\kappa = (\Delta_a + \Delta_b)^2 / (\sigma_a^2 + \sigma_b^2)$, the plain mean of both releases",
        r"$\kappa = \Delta_a^2/\sigma_a^2 + \Delta_b^2/\sigma_b^2$: releases weighted by their inverse variances",
        "By the lemma publishing a second, noisier release would *improve* privacy; it is one statistic, not a bound.",
        "Noise 1 and 3, α = 0.05: the mean misses 0.903, the first release alone 0.830, the best statistic 0.816 "
        "(simulated 0.81603 ± 0.00019).",
    ),
    Correction(
        10, "000", "after Lemma 8", "“generalisation follows inductively”", Kind.WRONG,
        r"$\kappa_{N+1} = 4\mu^2/(v_N + 1)$, $v_{N+1} = (v_N + 1)/4$: the lemma fed with its own output",
        r"$\kappa_N = N\mu^2$",
        "Chained, three times the effect of one release is the most that any number of releases could ever give away.",
        "Three equal releases: 2.667 chained, 3 in truth; four: 2.909 and 4.",
    ),
    Correction(
        11, "000", "Lemma 8", "directions that differ between steps", Kind.UNSTATED,
        "the distance of the mean, in any number of dimensions",
        "best only where all steps pull in one common direction, which is also the worst case",
        "Independent directions are an option of their own here (the sum of the squared distances).",
        "d = 20, N = 10, μ = 0.7, α = 0.1: common direction 0.7035 ± 0.002, independent directions 0.8847 by the mean "
        "and 0.8495 by the sum.",
    ),
    Correction(
        12, "000", "Thm 3, Eq. 7", "many dimensions", Kind.MISPRINT,
        r"$\Phi\Bigl(\tfrac{z - \kappa/(\sqrt2\,d)}{\sqrt{1 + 2\kappa/d}}\Bigr) \approx \Phi(z - N\sqrt{\mu/2d})$",
        r"$\Phi\Bigl(\tfrac{z - \kappa/\sqrt{2d}}{\sqrt{1 + 2\kappa/d}}\Bigr) \approx \Phi(z - N\mu^2/\sqrt{2d})$, "
        r"$\kappa = N\mu^2$",
        "The left side is off by the root of the dimension, the right one loses a square; they are no longer alike.",
        "d = 300, N = 150, μ = 0.2, α = 0.1: exact 0.8489, corrected 0.8453 and 0.8500, printed 0.8930 and 0.0726.",
    ),
    Correction(
        13, "000", "Thm 3", "“and/or the number of compositions N”", Kind.WRONG,
        "the curve becomes normal as d **and/or** N grow",
        "only as d grows: a chi-squared variable with one degree of freedom stays one, however many steps there are",
        "With few dimensions the normal forms promise less privacy, or more, than there is; both are estimates.",
        "d = 1, N = 1,000, μ = 0.05, α = 0.01: exact 0.8400 and, for the inverse, 0.9651; the normal forms 0.5902 and "
        "0.7118.",
    ),
    Correction(
        14, "000", "Sec. 4", "what Poisson sampling masks", Kind.MISPRINT,
        r"$q(X) + S \odot Z$ with $S \sim \mathrm{Ber}(p)^d$: the mask falls on the noise",
        "the mask falls on the *records*; the noise is always added",
        "As printed, a coordinate is released without any noise with probability 1 − p.",
        "The dominating pairs listed in the paper are those of the correct mechanism. Folding the second one about 0: "
        "0.86130 where 0.87473 is right (μ = 1.5, p = 0.3, α = 0.1).",
    ),
    Correction(
        15, "000", "Secs. 4, 7.3", "several sampled steps", Kind.WRONG,
        r"compose to N steps, then amplify once: $p\,j_N + (1-p)(1-\alpha)$",
        "the best test between absence and a record on either side, sampled anew in every step",
        "One coin for all steps gives an attacker who knows *less* more power than one who knows everything.",
        "μ = 0.2, p = 0.4, N = 30, α = 0.001: 0.00623 amplified once, 0.00417 for full knowledge, 0.00242 ± 0.00006 "
        "simulated.",
    ),
    Correction(
        16, "000", "Sec. 7.1", "reconstruction by an attacker without candidates", Kind.UNSTATED,
        r"$\gamma = 1 - j(\kappa)$",
        r"right for an attacker without candidate records; reconstruction robustness hands candidates to the attacker",
        "The two threat models clash, which the page on reconstruction says beside its relaxed curve.",
        "By argument: candidates are directions, and with a direction known the curve is that of full knowledge.",
    ),
    Correction(
        17, "000", "Sec. 7.3", "the accounting of the experiments", Kind.CHECKED,
        "ε = 1 in both experiments",
        "Right to about 1 % by Rényi accounting; certified, it is less.",
        "“Δ/σ² = 1.5” below Figure 6 should be Δ/σ.",
        "1.006 and 1.073 by Rényi accounting, 0.920 and 0.747 certified.",
    ),
)  # fmt: skip
