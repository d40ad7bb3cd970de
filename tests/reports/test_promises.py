"""Promises in words: what is said to be refuted, or to be found, is never more than was computed."""

import pytest

from numerics import Gaussian
from numerics.audits import ApproximateClaim, Claim, GdpClaim, ReleaseClaim
from reports import promises

RELEASE = ReleaseClaim(Gaussian(1.0, 0.01, 1000))


@pytest.mark.parametrize(
    ("claim", "last", "refuted", "found"),
    [
        (GdpClaim(0.5), 0.57689, "Every promise up to μ 0.576 is refuted, too.", "μ 0.577"),
        (ApproximateClaim(1.0, 1e-5), 2.3451, "Every promise up to ε 2.34 at δ = 10⁻⁵ is refuted, too.", "ε 2.35 at δ"),
        (RELEASE, 0.56219, "Every promise of noise 0.563 or more is refuted, too.", "noise 0.562"),
    ],
)
def test_members_of_a_family_are_rounded_to_the_safe_side(claim: Claim, last: float, refuted: str, found: str) -> None:
    assert promises.all_refuted(claim, last) == refuted
    assert promises.at_least(claim, last).startswith(found)
