"""Notation: the symbols of all pages in one table."""

import streamlit as st

# Symbol, plain words, unit.
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
_CONVENTIONS = (
    "One parametrisation everywhere: the noise multiplier s is the scale of the noise on the *sum* of clipped "
    "records, in "
    "units of C. Noise on the mean of a batch of n is sC/n. An add/remove neighbour moves the sum by one unit (effect "
    "size 1/s), a replaced record by two (2/s); the σ of Dong, Roth and Su (2022) is therefore s/2."
)


def draw() -> None:
    """Draw the table."""
    st.markdown(_CONVENTIONS)
    symbols, words, units = zip(*SYMBOLS, strict=True)
    st.table(
        {"Symbol": [f"**{one}**" for one in symbols], "In plain words": list(words), "Unit": list(units)},
        hide_index=True,
    )
