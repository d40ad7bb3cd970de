"""The sections of About beside the corrections: threat models, notation, kinds of numbers, your data, references."""

import streamlit as st

from numerics.version import VERSION
from pages.about.corrections_data import PAPERS
from pages.ui import chart, result_header
from pages.ui.threat_models import ATTACKERS, ThreatModel
from plotting import theme
from plotting.dashes import dashes_figure

_ATTACKERS = (
    "A privacy number answers for one attacker. Six appear on these pages; they differ in what they know, in what "
    "stays random to them, and in which data sets are compared. Who knows less about the same release never finds "
    "more; a smaller number needs a proof of its own. Numbers that differ in neighbours or sampling answer different "
    "questions: they are not put on one pair of axes."
)
_ALL = (
    *ATTACKERS,
    ThreatModel(
        "ReRo",
        "reconstruction robustness",
        "has a guess about the record",
        "record guessed",
        theme.NEUTRAL,
        "all other records, the mechanism, candidates with a prior κ",
        "noise and sampling",
    ),
    ThreatModel(
        "Epsilon*",
        "audit of one trained model",
        "sees the losses of one trained model",
        "losses seen",
        theme.NEUTRAL,
        "losses of members and of outsiders",
        "whose loss is looked at",
    ),
)
_SOURCES = ("papers 000, 003", "paper 000", "paper 002", "paper 004", "papers 003, 000", "paper 001")
# Question and what answers it, of each attacker: one small table a question so that it can be read on a phone.
_LEDGER = {
    "What does the attacker know?": tuple(one.knows for one in _ALL),
    "What stays hidden?": tuple(one.hidden for one in _ALL),
    "Which data sets are compared?": (
        "one record more or less (add/remove)",
        "one record added",
        "independent coins: one record more or less; exact halves (paper 002): one replaced",
        "one record replaced",
        "one record more or less (add/remove)",
        "none: the model is fixed",
    ),
    "How far does one record move the release?": (
        "C on the sum",
        "C on the sum",
        "2C on the sum with halves, C with coins",
        "2C/n on the mean",
        "C on the sum",
        "no limit is assumed",
    ),
    "How are records drawn?": (
        "Poisson: every record on its own, with probability p",
        "Poisson",
        "from the pool: each by its own fair coin, or exactly half",
        "batches of n of N, fixed size",
        "Poisson",
        "none",
    ),
    "What is tested against “member”?": (
        "the record is absent",
        "the record is absent",
        "none: member and outsider are equally likely",
        "the record is an outsider",
        "the record is absent",
        "the loss is an outsider's",
    ),
    "What does the answer say?": (
        "the most that any attacker finds; holds whatever is known",
        "the most that is found without knowing which way the record pulls",
        "accuracy above one half, η, of the game named with it; members found: at most what full knowledge finds",
        "about how far apart the two worlds are, μ; an estimate (K = d), apart from Poisson's numbers",
        "how often the record is reconstructed, γ, by somebody who guesses right with probability κ",
        "how much these losses give away; nothing about how the model was trained",
    ),
}
_TABLE_WIDTH = 400  # pixels; the tables stand beside each other where there is room


def draw_threat_models() -> None:
    """Draw the attackers and the ledger."""
    st.markdown(_ATTACKERS)
    named = (f"- **{one.notion}**, {one.title}: somebody who {one.name}" for one in _ALL)
    st.markdown("\n".join(f"{one} ({source})." for one, source in zip(named, _SOURCES, strict=True)))
    with st.container(horizontal=True, gap="medium"):
        for question, answers in _LEDGER.items():
            with st.container(width=_TABLE_WIDTH):
                st.markdown(f"**{question}**")
                table = {"Attacker": [f"**{one.notion}**" for one in _ALL], "Answer": [*answers]}
                st.table(table, hide_index=True)
    st.markdown("*Attackers* shows four of them looking at one release.")


SYMBOLS = (
    ("α, FPR", "outsiders wrongly accused: the false positive rate", "share of outsiders"),
    ("β, FNR", "members missed: the false negative rate", "share of members"),
    ("1 − β, TPR", "members found: the true positive rate, or power of the test", "share of members"),
    ("f, T(P, Q)", "trade-off function: the least β at every α", "rate for a rate"),
    (
        "j, j⁻¹, J",
        "the same for an attacker who does not know the record: add-one, remove-one, both",
        "rate for a rate",
    ),
    ("s", "noise multiplier: scale of the noise on the sum of clipped records", "clipping norms C"),
    ("C", "clipping norm: the most that one record can contribute", "length of a gradient"),
    (
        "σ, b, τ",
        "absolute noise: standard deviation, Laplace scale, on the mean (τ = sC/n)",
        "as the data",
    ),
    ("Δ", "sensitivity: how far one record moves the result", "as the data"),
    ("μ", "effect size: influence of one record over the noise; of a curve: that of two normals as far apart", "none"),
    ("κ in paper 000", "noncentrality: the squared effect size, added up over the releases", "none"),
    ("ε", "epsilon: odds move by at most the factor e^ε", "none (log of odds)"),
    ("δ", "delta: the chance that this promise fails", "probability"),
    ("η", "accuracy above one half of guessing who was drawn, in the game named with it", "probability, up to 0.5"),
    ("advantage", "largest difference of members found and outsiders accused", "probability"),
    ("π", "prior: how likely somebody is a member before anything is released", "probability"),
    ("κ, γ", "chance that a record is guessed right without, and reconstructed with, the release", "probability"),
    ("N, n", "records in the training data; in a batch (in the papers N is also a number of steps)", "records"),
    ("p", "sampling rate: how likely a record takes part in a step, n/N", "probability"),
    ("steps", "number of noisy releases, T in the papers", "count"),
    ("d", "dimension: coordinates that are released", "count"),
    ("K", "susceptibility: squared distance of a record's gradient from the mean, in standard deviations", "none"),
    ("ε*", "Epsilon*: least ε, at a given δ, that the losses of one model are compatible with", "none (log of odds)"),
    ("t, η in paper 001", "false positive and false negative rate at one threshold of the loss", "share"),
    ("Φ, Ψ, z", "normal distribution function, 1 − Φ, and the upper quantile Ψ⁻¹(α)", "probability; none"),
)
"""Symbol, plain words, unit."""
_CONVENTIONS = (
    "One parametrisation everywhere: the noise multiplier s is the scale of the noise on the *sum* of clipped "
    "records, in "
    "units of C. Noise on the mean of a batch of n is sC/n. An add/remove neighbour moves the sum by one unit (effect "
    "size 1/s), a replaced record by two (2/s); the σ of Dong, Roth and Su (2022) is therefore s/2."
)


def draw_notation() -> None:
    """Draw the table."""
    st.markdown(_CONVENTIONS)
    symbols, words, units = zip(*SYMBOLS, strict=True)
    st.table(
        {"Symbol": [f"**{one}**" for one in symbols], "In plain words": list(words), "Unit": list(units)},
        hide_index=True,
    )


_DASHES = (
    "The kinds of curves, each in the dash it is drawn in: exact and certified solid, guarantee dashed, demonstrated "
    "attack "
    "dash-dotted, estimate dotted, audit long-dashed; formulas that do not hold dotted with crosses."
)


def draw_kinds_of_numbers() -> None:
    """Draw the kinds of numbers, and what software this is."""
    st.markdown("Every number and every curve says what kind it is. The dash tells it too, not colour alone.")
    chart.draw(dashes_figure(), _DASHES)
    for bound, words in result_header.kinds():
        with st.container(horizontal=True, gap="small"):
            result_header.badge(bound)
            st.markdown(words, width="stretch")
    with st.container(horizontal=True, gap="small"):
        st.badge(theme.DOES_NOT_HOLD, color="red")
        st.markdown(
            "A formula as our copy of a paper has it, or read in another way, that does not hold or bounds less "
            "well. Only Papers draws any, beside what holds."
        )
    st.markdown(
        "Rates that limit an attacker are rounded up, those that an attacker reaches are rounded down: rounding never "
        "promises more."
    )
    st.markdown(
        f"**Privacy trade-offs {VERSION}**, under the Apache License 2.0: free to use, change and pass on, without any "
        "warranty. The file `LICENSE` has the text, `CHANGELOG.md` what changed and whether numbers moved."
    )


_STATEMENT = """
**Where it runs.** Everything is computed on the computer that serves this page. No request goes to any other host,
neither from the page nor from the server: fonts and scripts come with it. There is no account.

**Uploads.** A file is read in memory; its bytes are dropped as soon as they are read. What was read is kept in the
memory of your session only: never on disk, never in a cache that sessions share. It is gone when you remove it, when
you close the tab (after 30 seconds, in which a broken connection may be taken up again, and at most a minute more
while many visitors are there), and when the server stops. Files up to 200 MB are accepted.

**What is shared between visitors.** Results that depend on settings alone (noise, steps, rates) are remembered for
everybody, so that the second visitor does not wait. Nothing that depends on an upload is.

**The address.** It holds the settings of the controls, so that a link restores the view. It never holds anything of
an upload. Who sees the address sees the settings.

**Cookies and storage.** One cookie, `_streamlit_xsrf`, which keeps other sites from sending files in your name; it
says nothing about you. The browser may remember a choice of light or dark for this page. Nothing is used to recognise
you.

**Telemetry.** There is none: usage statistics of the framework are switched off.

**What is logged.** The server writes its start, its stop and program faults to its own console, without the content
of uploads. It keeps no list of visits; a proxy that somebody puts in front of it may, and then the addresses of views
are in it.

**Downloads.** Reports, tables and figures are made when you ask for them, from what the page shows, and sent to
your browser only.
"""


def draw_privacy() -> None:
    """Draw the statement."""
    st.markdown(_STATEMENT)


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
"""What the code and its documents cite besides the five papers: reference and what it is used for."""


def draw_references() -> None:
    """Draw both lists."""
    st.markdown("**The five papers**, under the numbers they have on all pages")
    st.markdown("\n".join(f"- **{paper.number}** ({paper.short}). {paper.reference}" for paper in PAPERS))
    st.markdown("**Further literature**, and what it is used for")
    st.markdown("\n".join(f"- {reference} — *{use}*" for reference, use in LITERATURE))
