"""The five papers, and what else the tool rests on."""

import streamlit as st

from pages.about.corrections_data import PAPERS

# What the code and its documents cite besides the five papers: reference and what it is used for.
LITERATURE = (
    (
        "C. J. Clopper and E. S. Pearson (1934): The use of confidence or fiducial limits illustrated in the case of "
        "the "
        "binomial. *Biometrika* 26.",
        "confidence of audits and of the lower bound of Epsilon*",
    ),
    (
        "S. De, L. Berrada, J. Hayes, S. L. Smith and B. Balle (2022): Unlocking high-accuracy differentially private "
        "image classification through scale. arXiv 2204.13650.",
        "published hyperparameters of the presets",
    ),
    (
        "J. Dong, A. Roth and W. J. Su (2022): Gaussian differential privacy. *Journal of the Royal Statistical "
        "Society* B "
        "84; arXiv 1905.02383.",
        "trade-off functions, composition, central limit theorem",
    ),
    (
        "V. Doroshenko, B. Ghazi, P. Kamath, R. Kumar and P. Manurangsi (2022): Connect the dots: tighter discrete "
        "approximations of privacy loss distributions. arXiv 2207.04380.",
        "certified curves, guarantee side",
    ),
    ("P. Hall (1992): *The Bootstrap and Edgeworth Expansion.* Springer.", "Edgeworth series"),
    (
        "J. Hayes, S. Mahloujifar and B. Balle (2023): Bounding training data reconstruction in DP-SGD. arXiv "
        "2302.07225.",
        "Monte Carlo estimate of reconstruction",
    ),
    (
        "N. J. Higham (2002): *Accuracy and Stability of Numerical Algorithms.* SIAM.",
        "rounding that certified curves allow for",
    ),
    (
        "P. Kairouz, S. Oh and P. Viswanath (2015): The composition theorem for differential privacy. *ICML* 32.",
        "what (ε, δ) allows an attacker",
    ),
    (
        "R. Lugannani and S. Rice (1980): Saddle point approximation for the distribution of the sum of independent "
        "random "
        "variables. *Advances in Applied Probability* 12.",
        "tails of the chi-squared law beyond double precision",
    ),
    (
        "M. Okabe and K. Ito (2008): Color universal design: how to make figures and presentations that are friendly "
        "to "
        "colorblind people.",
        "colours of the figures",
    ),
    (
        "L. Wasserman and S. Zhou (2010): A statistical framework for differential privacy. *JASA* 105.",
        "privacy as a test between two data sets",
    ),
    (
        "Q. Zheng, J. Dong, Q. Long and W. J. Su (2020): Sharp composition bounds for Gaussian differential privacy "
        "via "
        "Edgeworth expansion. *ICML* 37.",
        "Edgeworth estimate of composed curves",
    ),
)


def draw() -> None:
    """Draw both lists."""
    st.markdown("**The five papers**, under the numbers they have on all pages")
    st.markdown("\n".join(f"- **{paper.number}** ({paper.short}). {paper.reference}" for paper in PAPERS))
    st.markdown("**Further literature**, and what it is used for")
    st.markdown("\n".join(f"- {reference} — *{use}*" for reference, use in LITERATURE))
