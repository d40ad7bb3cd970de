"""The states of tool pages that drawings open: what their controls say, as their addresses spell it."""

from collections.abc import Mapping

from numerics.gaussian_membership import GradientRelease
from numerics.mechanisms import Adjacency, Gaussian, SampledMechanism, Sampling
from numerics.trade_off import Order
from pages.papers.question import Link
from pages.ui import release_in_force
from pages.ui.address import query
from pages.ui.catalog import ATTACKERS, FRONTIER, RECONSTRUCT, Page
from pages.ui.chart import SecondFigure
from pages.ui.numbers_in_words import CROWD
from plotting.curves import Axes

_STARTS = {
    **release_in_force.DEFAULTS,
    "axes": Axes.LOG,
    "mechanism.second": SecondFigure.EVIDENCE,
    "mechanism.relaxed": False,
}
NO_NOISE = 1e-3  # as little as the tool's controls take


def shown(
    page: Page,
    release: SampledMechanism,
    own: Mapping[str, object],
    order: Order = Order.SYMMETRIC,
    alpha: float = 0.1,
    **sizes: int,
) -> Link:
    """A release on a page, with this state of the page's ``own`` controls."""
    state = release_in_force.state_of(release, **sizes)
    state |= {"accused": float(f"{CROWD * alpha:.10g}"), "delta": 1e-5, "order": order, "axes": Axes.LINEAR}
    return page, query({**state, **own}, _STARTS)


def fixed_size(noise: float, run: GradientRelease) -> Link:
    """The attackers of a release as paper 004 sees it: a record replaced, batches of fixed size."""
    rate, sizes = run.batch_size / run.dataset_size, {"records": run.dataset_size, "dimension": run.dimension}
    release = Gaussian(noise, rate, run.steps, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
    return shown(ATTACKERS, release, {"attackers.doors": "all"}, Order.ADD, 1e-3, **sizes)


def audit(attack: str, **numbers: float) -> dict[str, object]:
    """The controls of an audit with this ``attack``."""
    asked = {"attack": attack, **numbers}
    return {"attackers.part": "audit", **{f"attackers.audit_{key}": value for key, value in asked.items()}}


def simulated_gradients(dimension: float, batch: float) -> Link:
    """The audit of simulated gradients in batches of this size; K is d."""
    numbers = {"coordinates": dimension, "batch": batch, "susceptibility": dimension}
    return ATTACKERS, query(audit("GLiR, simulated gradients", **numbers), {})


def reconstruct(release: SampledMechanism, prior: float) -> Link:
    """What a guess of this probability becomes; the box beside the slider takes every prior."""
    state = {**release_in_force.state_of(release), "reconstruct.kappa_exact": float(f"{prior:.3g}")}
    return RECONSTRUCT, query(state, _STARTS)


def sweep(name: str) -> Link:
    """A sweep that comes with the tool."""
    return FRONTIER, {"frontier.weigh": "your own sweep", "frontier.land_from": name}
