"""The formulas behind the converters, with their sources and corrections."""

from pages.ui.readout import Formula

FORMULAS = (
    Formula(
        r"\eta = \tfrac12 \mathrm{TV} = \tfrac12 \sup_\alpha\,(1 - \alpha - f(\alpha))",
        "Half of the largest gap between members found and outsiders accused, for a replaced record: the game in which "
        "exactly half of a pool is drawn. With independent coins η is half of the add/remove gap.",
        "paper 002 Prop. 2, Thm 3; correction 27",
    ),
    Formula(
        r"\eta \le \delta + \frac{1 - \delta}{1 + e^{-\varepsilon}} - \tfrac12",
        "From (ε, δ) for replaced records.",
        "paper 002 Thm 4",
        "far above η of the mechanism (correction 30)",
    ),
    Formula(
        r"\eta \le \tfrac12 \sup_\alpha\,(g(g(\alpha)) - \alpha), \qquad g = 1 - f_{\varepsilon, \delta}",
        "From (ε, δ) under add/remove: a replacement is a removal and an addition. (1 - e^-ε)/2 for δ = 0, where the "
        "usual (2ε, (1 + e^ε)δ) gives tanh(ε)/2.",
        "group privacy of f-DP, Dong, Roth and Su 2022 Thm 2.14",
    ),
    Formula(
        r"\varepsilon = \log\frac{1 + 2\eta}{1 - 2\eta}, \qquad \eta = \Phi(\mu/2) - \tfrac12",
        "The ε that is enough for η; and η of Gaussian DP for replaced records, Φ(μ) - 1/2 under add/remove.",
        "paper 002 Sec. 4; correction 27",
    ),
    Formula(
        r"\mathrm{TPR} \le \mathrm{FPR} + 2\eta",
        "What η alone limits.",
        "paper 002 Thm 8",
        "the paper has FPR + η, which real mechanisms exceed (correction 28)",
    ),
    Formula(
        r"\begin{gathered} \mathrm{TPR} \le \min(\delta + e^{\varepsilon}\alpha,\; 1 - e^{-\varepsilon}"
        r"(1 - \delta - \alpha)) \\ \mu = 2\,\Phi^{-1}\!\left(\frac{e^{\varepsilon}}{1 + e^{\varepsilon}}\right)"
        r"\ (\delta = 0) \end{gathered}",
        "The trade-off function of (ε, δ), and the Gaussian one just below it.",
        "Kairouz, Oh and Viswanath 2015; Dong, Roth and Su 2022",
    ),
    Formula(
        r"\varepsilon \ge \log\frac{\mathrm{TPR} - \delta}{\alpha}, \quad \mu \ge \Phi^{-1}(\mathrm{TPR}) - "
        r"\Phi^{-1}(\alpha)",
        "What one attack proves; for ε the ratio of the other error counts too.",
        "paper 001 Eq. 6",
    ),
    Formula(
        r"\mu_{\mathrm{MIP}} = \min\!\left(\sqrt{\frac{d}{n + 4/\mu^2 + 1/2}},\; \mu\right), \qquad "
        r"\mu = \frac{2}{\sqrt{d/\mu_{\mathrm{MIP}}^2 - n - 1/2}}",
        "Gaussian membership privacy of one step from its Gaussian DP, and the noise that reaches a level.",
        "paper 004 Cor. F.1",
        "the paper has 4C²/μ² (correction 50); the second is about the noise and implies no privacy",
    ),
)
ASSUMPTIONS = (
    "The entered number is all that is known about the release; the column beside it is read from the release's curve.",
    "Everything but η is stated for the chosen neighbouring data; η for exact halves, so for a replaced record.",
    "Guarantees are rounded up, what an attack proves and what is enough is rounded down.",
    "Levels of paper 004 are estimates: every record's susceptibility K is taken to be d.",
)
