"""What an audit tests: the release beside the page, or a promise in two numbers or one; and what it should catch."""

from enum import StrEnum

import streamlit as st

from numerics.audits import ApproximateClaim, Claim, GdpClaim, ReleaseClaim
from numerics.unsupported import UnsupportedError
from pages.ui import cached, release_in_force
from pages.ui.controls import number_box, segmented_control

KEYS = ("audit.claim", "audit.claimed_epsilon", "audit.claimed_delta", "audit.claimed_mu", "audit.off_by", "audit.sure")
LEVELS = (0.9, 0.95, 0.99)
_FACTORS = (1.1, 1.2, 1.5, 2.0, 3.0, 5.0)
_OFF = "How wrong the promise may be and still be caught: noise too small, or ε or μ too large, by this factor."
_LEVEL = "A promise that is kept is called refuted in at most one audit of 20 at 95 %. Choose it before you look."


class ClaimKind(StrEnum):
    """What is promised; the values are the labels, and the values in the URL."""

    RELEASE = "the release you set"
    APPROXIMATE = "ε and δ"
    GDP = "μ-GDP"


def draw() -> Claim | None:
    """Draw the choice of the promise; None while the release beside the page is none."""
    kind = segmented_control(
        "What was promised", list(ClaimKind), default=ClaimKind.RELEASE, key="audit.claim", label_visibility="collapsed"
    )
    if kind == ClaimKind.APPROXIMATE:
        epsilon = number_box("Promised ε", "audit.claimed_epsilon", (0.0, 100.0), 1.0, width=110)
        return ApproximateClaim(epsilon, number_box("at δ", "audit.claimed_delta", (0.0, 0.5), 1e-5, width=110))
    if kind == ClaimKind.GDP:
        return GdpClaim(number_box("Promised μ", "audit.claimed_mu", (0.01, 20.0), 1.0, width=110))
    if refusal := release_in_force.refusal():
        st.warning(f"**The release beside this page is none.** {refusal}", icon=":material/block:")
        return None
    try:
        return ReleaseClaim(release_in_force.current().mechanism, cached.PRECISION)
    except UnsupportedError as reason:
        st.warning(f"**No audit of the release beside this page.** {reason}", icon=":material/block:")
        return None


def draw_off_by(default: float) -> float:
    """Draw by which factor a promise is wrong that the audit should catch."""
    chosen = st.select_slider(
        "Catch a promise wrong by a factor of",
        _FACTORS,
        default,
        key="audit.off_by",
        bind="query-params",
        width=300,
        help=_OFF,
    )
    return float(chosen)


def draw_level() -> float:
    """Draw the confidence of a refutation."""
    chosen = st.select_slider(
        "Confidence",
        LEVELS,
        0.95,
        lambda level: f"{100 * level:g} %",
        key="audit.sure",
        bind="query-params",
        width=180,
        help=_LEVEL,
    )
    return float(chosen)


def wrong_by(claim: Claim, factor: float) -> Claim:
    """The member of the claim's family that is as much weaker."""
    parameter = claim.parameter * factor if claim.grows else claim.parameter / factor
    low, high = claim.limits
    return claim.with_parameter(min(max(parameter, low), high))
