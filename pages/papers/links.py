"""The states of tool pages that figures open: what their controls say, as their addresses spell it."""

from numerics.gaussian_membership import GradientRelease
from numerics.mechanisms import Adjacency, Gaussian, SampledMechanism, Sampling
from numerics.trade_off import Order
from pages.papers.question import Link
from pages.ui import release_in_force
from pages.ui.address import query
from pages.ui.catalog import ATTACKERS, FRONTIER, MECHANISM, RECONSTRUCT
from pages.ui.figure_controls import SecondFigure
from pages.ui.numbers_in_words import CROWD
from plotting.curves import Axes

_STARTS = {
    **release_in_force.DEFAULTS,
    "axes": Axes.LOG,
    "mechanism.second": SecondFigure.EVIDENCE,
    "mechanism.relaxed": False,
}


_AUDIT = {"attackers.part": "audit"}


def _shared(release: SampledMechanism, alpha: float, order: Order, **sizes: int) -> dict[str, object]:
    state = release_in_force.state_of(release, **sizes)
    return {**state, "accused": float(f"{CROWD * alpha:.10g}"), "delta": 1e-5, "order": order, "axes": Axes.LINEAR}


def mechanism(release: SampledMechanism, dimension: int = 1, order: Order = Order.SYMMETRIC) -> Link:
    """The curve of full knowledge and those of who does not know the record."""
    state = _shared(release, 0.1, order, dimension=dimension)
    return MECHANISM, query({**state, "mechanism.relaxed": True}, _STARTS)


def power(release: SampledMechanism, alpha: float) -> Link:
    """Members found against the effect size."""
    state = _shared(release, alpha, Order.ADD, dimension=1)
    own = {"mechanism.second": SecondFigure.POWER, "mechanism.relaxed": True}
    return MECHANISM, query({**state, **own}, _STARTS)


def fixed_size(noise: float, run: GradientRelease) -> Link:
    """The attackers of a release as paper 004 sees it: a record replaced, batches of fixed size."""
    rate = run.batch_size / run.dataset_size
    release = Gaussian(noise, rate, run.steps, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
    state = _shared(release, 1e-3, Order.ADD, records=run.dataset_size, dimension=run.dimension)
    return ATTACKERS, {**query(state, _STARTS), "attackers.doors": "all"}


def planted(release: SampledMechanism, dimension: int) -> Link:
    """The audit with a planted record that the attacker does not know."""
    state = _shared(release, 1e-3, Order.SYMMETRIC, dimension=dimension)
    return ATTACKERS, {**query(state, _STARTS), **_AUDIT, "attackers.audit_attack": "canary, record unknown"}


def simulated_gradients(batch: float) -> Link:
    """The audit of simulated gradients in batches of this size."""
    return ATTACKERS, {
        **_AUDIT,
        "attackers.audit_attack": "GLiR, simulated gradients",
        "attackers.audit_batch": f"{batch:g}",
    }


def reconstruct(release: SampledMechanism, prior: float) -> Link:
    """What a guess of this probability becomes; the box beside the slider takes every prior."""
    state = {**release_in_force.state_of(release), "reconstruct.kappa_exact": float(f"{prior:.3g}")}
    return RECONSTRUCT, query(state, _STARTS)


def sweep(name: str) -> Link:
    """A sweep that comes with the tool."""
    return FRONTIER, {"frontier.weigh": "your own sweep", "frontier.land_from": name}
