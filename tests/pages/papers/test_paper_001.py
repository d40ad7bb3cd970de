"""Figures of paper 001: what is said of them holds, and printed points are drawn as printed."""

from itertools import pairwise

import numpy as np
import pytest

from data.make_paper_001 import STEPS
from numerics.calibration import EpsilonTarget, noise_for
from numerics.mechanisms import Gaussian
from pages.papers.figure import Drawing
from pages.papers.paper_001.mechanism_level import PROMISES
from pages.papers.papers import BY_ADDRESS
from plotting.landscape import NOT_DOMINATED
from tests.pages.papers.test_lecture import drawn


def values(drawing: Drawing, name: str) -> list[float]:
    """What is drawn under this name."""
    names, _, _, y = drawing.columns.values()
    return [float(value) for one, value in zip(names, y, strict=True) if one == name]


def averages(drawing: Drawing, kind: str) -> tuple[list[float], list[float]]:
    """Epsilon* and accuracy of strategies of this kind."""
    of = np.array(drawing.columns["kind"]) == kind
    privacy, utility = (np.asarray(drawing.columns[f"{goal}, mean"])[of] for goal in ("epsilon*", "accuracy"))
    return privacy.tolist(), utility.tolist()


def test_printed_baselines_are_drawn_as_printed_whatever_is_left_out() -> None:
    for most in (1.0, 100.0):
        privacy, utility = averages(drawn(BY_ADDRESS["001-fig-1"], most), "Purchase-100, printed")
        assert privacy == [2.48, 7.06, 7.79]
        assert utility == [0.86, 0.904, 0.906]


def test_our_baselines_overfit_as_the_papers_and_a_small_promise_keeps_epsilon_star_small() -> None:
    entry = BY_ADDRESS["001-fig-1"]
    privacy, utility = averages(drawn(entry), "without DP")
    assert privacy == pytest.approx([1.69, 5.75, 7.98], abs=5e-3)
    assert utility[-1] - utility[0] == pytest.approx(0.02, abs=5e-3)
    largest = [max(averages(drawn(entry, most), "with DP-SGD")[0]) for most in (1.0, 3.0, 10.0, 100.0)]
    assert largest[0] < 1.0
    assert largest[-1] == pytest.approx(3.0, abs=5e-3)
    assert all(one < more for one, more in pairwise(largest))


def test_frontier_is_the_hull_of_our_own_alone() -> None:
    traces = [trace.to_plotly_json() for trace in drawn(BY_ADDRESS["001-fig-1"]).figure.data]
    assert NOT_DOMINATED not in [trace["name"] for trace in traces if "name" in trace]
    x, y = next((trace["x"], trace["y"]) for trace in traces if trace.get("name") == "convex hull")
    assert np.all(np.diff(np.diff(y) / np.diff(x)) <= 0.0)
    assert not set(np.round(x, 6)) & {2.48, 7.06, 7.79}


def test_on_the_digits_models_without_dp_show_no_more() -> None:
    drawing = drawn(BY_ADDRESS["001-fig-2"])
    bare, private = (averages(drawing, kind)[0] for kind in ("without DP", "with DP-SGD"))
    assert (len(bare), len(private)) == (5, 32)
    assert np.mean(private) > np.mean(bare)
    assert (min(bare + private), max(bare + private)) == pytest.approx((0.23, 0.73), abs=5e-3)


def test_counted_ratios_miss_the_ends() -> None:
    most = {}
    for size in (100.0, 10_000.0):
        columns = drawn(BY_ADDRESS["001-fig-3"], size).columns
        of, ratio = np.array(columns["of"]), np.asarray(columns["log of the ratio"])
        most[size] = float(ratio[of == "counted"].max())
        assert ratio[of == "laws"].max() == pytest.approx(14.1, abs=0.05)
    assert (most[100.0], most[10_000.0]) == pytest.approx((4.4, 8.3), abs=0.05)


def test_identical_laws_are_found_different_the_less_the_larger_the_sample() -> None:
    drawing = drawn(BY_ADDRESS["001-fig-4"])
    assert values(drawing, "truth") == [0.0, 0.0]
    counted, fits = values(drawing, "counted"), values(drawing, "normal fits")
    assert (counted[0], counted[-1], fits[0], fits[-1]) == pytest.approx((1.45, 0.20, 0.45, 0.03), abs=5e-3)
    assert all(more > less for kind in (counted, fits) for more, less in pairwise(kind))
    assert values(drawing, "lower bound, 95 %") == [0.0, 0.0, 0.0]


def test_the_cut_hides_how_far_the_normal_fits_are_off() -> None:
    entry = BY_ADDRESS["001-fig-5"]
    cut, whole = drawn(entry), drawn(entry, 0.0)
    assert (values(cut, "truth, cut")[-1], values(cut, "normal fits")[-1]) == pytest.approx((8.0, 8.9), abs=0.05)
    assert (values(whole, "truth")[-1], values(whole, "normal fits")[-1]) == pytest.approx((18.6, 25.5), abs=0.05)
    # of the laws, by quadrature (correction 23)
    assert values(whole, "truth")[::4] == pytest.approx([0.0, 5.5518, 11.9150, 18.6367], abs=1e-3)
    assert values(cut, "truth, cut")[::4] == pytest.approx([0.0, 4.3192, 6.6173, 8.0402], abs=1e-3)
    clipped = values(cut, "truth, cut at 0.001")[::4]
    assert clipped == pytest.approx([0.0, 2.7721, 4.2393, 5.1334], abs=1e-3)
    assert values(cut, "counted")[2::3] == pytest.approx(clipped, abs=0.2)
    truth = np.repeat(values(whole, "truth")[::4], 3)  # three sizes at each distance
    is_above = {
        name: bool(np.any(np.array(values(whole, name)) > truth))
        for name in ("counted", "normal fits", "lower bound, 95 %")
    }
    assert is_above == {"counted": True, "normal fits": True, "lower bound, 95 %": False}


def test_one_law_is_rejected_for_the_network_with_dp_only() -> None:
    entry = BY_ADDRESS["001-fig-6"]
    for size, with_dp in ((1000.0, 0.00016), (100.0, 0.023)):
        drawing = drawn(entry, size)
        assert values(drawing, "with DP-SGD")[0] == pytest.approx(with_dp, rel=0.05)
        assert values(drawing, "without DP-SGD")[0] > 0.05


def test_models_together_show_no_more_than_theorem_2_allows_and_than_is_promised() -> None:
    for noise, promise in PROMISES.items():
        drawing = drawn(BY_ADDRESS["001-theorem-4"], noise)
        together, limit = values(drawing, "ε-bar")[0], values(drawing, "Theorem 2's limit")[0]
        each = np.array(values(drawing, "ε* of a model"))
        assert together <= limit
        assert limit == pytest.approx(float(np.log(np.mean(np.exp(each)))), rel=1e-5)
        if promise:
            release = Gaussian(1.0, 1.0, STEPS)
            assert noise_for(EpsilonTarget(float(promise), 1e-3), release).noise_multiplier == pytest.approx(
                noise, rel=4e-3
            )
            assert together < float(promise)
    assert np.sum(np.array(values(drawn(BY_ADDRESS["001-theorem-4"], 18.2), "ε* of a model")) > 1.0) == 23
