"""The shipped canaries are what their script makes; the promise kept is not refuted, and every broken one is."""

import hashlib
import re

import numpy as np
import pytest

from data.make_canaries import CLAIM, Implementation, log_likelihood_ratio, run
from numerics.audits import ReleaseClaim
from numerics.audits.one_run import Canaries, Verdict, audit
from tests import ROOT

DATA = ROOT / "data"
README = (DATA / "README.md").read_text(encoding="utf-8")
WRITTEN = 1e-5  # relative: six digits are written

files = pytest.mark.parametrize("made", Implementation)


def canaries(made: Implementation) -> Canaries:
    score, included = np.loadtxt(DATA / f"{made}.csv", delimiter=",", skiprows=1, unpack=True)
    assert set(included) == {0.0, 1.0}
    return Canaries(score, included == 1.0)


@files
def test_the_script_makes_what_is_shipped(made: Implementation) -> None:
    score, included, accuracy = run(made)
    shipped = canaries(made)
    assert np.array_equal(included, shipped.included)
    np.testing.assert_allclose(score, shipped.score, rtol=WRITTEN, atol=1e-6)
    stated = re.search(rf"`{made}\.csv` .* \| ([\d.]+) \|", README)
    assert stated is not None
    assert accuracy == pytest.approx(float(stated[1]), abs=2e-3)  # another machine's rounding moves a record or two


@files
def test_the_hash_is_stated(made: Implementation) -> None:
    content = (DATA / f"{made}.csv").read_bytes()
    assert f"{hashlib.sha256(content).hexdigest()}  {made}.csv" in README
    assert len(content) < 50_000


@files
def test_only_what_was_promised_is_not_refuted(made: Implementation) -> None:
    found = audit(canaries(made).guesses(), ReleaseClaim(CLAIM))
    expected = Verdict.NOT_REFUTED if made is Implementation.RIGHT else Verdict.REFUTED
    assert found.verdict is expected
    if expected is Verdict.REFUTED:
        assert found.p_value < 1e-6


def test_the_promise_is_what_data_say_of_it() -> None:
    said = f"Gaussian noise of {CLAIM.noise_multiplier:g} clip, rate {CLAIM.sampling_rate:g}, {CLAIM.steps:,} steps"
    assert said in " ".join(README.split())


def test_scores_are_the_log_likelihood_ratio_of_the_promise() -> None:
    """The ratio of the two densities, written down."""
    x, rate = np.array([-2.0, 0.0, 0.5, 1.0, 4.0]), CLAIM.sampling_rate
    densities = [np.exp(-0.5 * (x - centre) ** 2) for centre in (0.0, 1.0)]
    expected = np.log((1.0 - rate) * densities[0] + rate * densities[1]) - np.log(densities[0])
    np.testing.assert_allclose(log_likelihood_ratio(x), expected, rtol=1e-12)
