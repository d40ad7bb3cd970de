"""The states of tool pages that drawings open: what their controls say, as their addresses spell it."""

from numerics.gaussian_membership import GradientRelease
from numerics.mechanisms import Adjacency, Gaussian, SampledMechanism, Sampling
from numerics.trade_off import Order
from pages.papers.question import Link
from pages.ui import comparison, release_in_force
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


def _shared(release: SampledMechanism, alpha: float, order: Order, **sizes: int) -> dict[str, object]:
    state = release_in_force.state_of(release, **sizes)
    return {**state, "accused": float(f"{CROWD * alpha:.10g}"), "delta": 1e-5, "order": order, "axes": Axes.LINEAR}


def mechanism(release: SampledMechanism, dimension: int = 1) -> Link:
    """The curve of full knowledge and those of who does not know the record."""
    state = _shared(release, 0.1, Order.SYMMETRIC, dimension=dimension)
    return MECHANISM, query({**state, "mechanism.relaxed": True}, _STARTS)


def compared(release: SampledMechanism, other: SampledMechanism) -> Link:
    """The curves of two releases."""
    state = _shared(release, 0.1, Order.SYMMETRIC)
    return MECHANISM, query({**state, comparison.KEY: comparison.spelled(other)}, _STARTS)


def resilient(release: SampledMechanism, reference: SampledMechanism) -> Link:
    """The curve of who does not know the record beside that of a reference; in the corner of few errors."""
    page, state = mechanism(release)
    return page, {**state, "axes": str(Axes.LOG), comparison.KEY: comparison.spelled(reference)}


def power(release: SampledMechanism, alpha: float) -> Link:
    """Members found against the effect size."""
    state = _shared(release, alpha, Order.ADD, dimension=1)
    own = {"mechanism.second": SecondFigure.POWER, "mechanism.relaxed": True}
    return MECHANISM, query({**state, **own}, _STARTS)


def profile(release: SampledMechanism, delta: float) -> Link:
    """Every delta and its epsilon."""
    state = {**release_in_force.state_of(release), "delta": delta, "mechanism.second": SecondFigure.PROFILE}
    return MECHANISM, query(state, _STARTS)


def fixed_size(noise: float, run: GradientRelease) -> Link:
    """The attackers of a release as paper 004 sees it: a record replaced, batches of fixed size."""
    rate = run.batch_size / run.dataset_size
    release = Gaussian(noise, rate, run.steps, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
    state = _shared(release, 1e-3, Order.ADD, records=run.dataset_size, dimension=run.dimension)
    return ATTACKERS, {**query(state, _STARTS), "attackers.doors": "all"}


def planted(release: SampledMechanism, dimension: int) -> Link:
    """The audit with a planted record that the attacker does not know."""
    state = _shared(release, 1e-3, Order.SYMMETRIC, dimension=dimension)
    return ATTACKERS, {**query(state, _STARTS), **_part("audit", audit_attack="canary, record unknown")}


def _part(part: str, **state: object) -> dict[str, str | list[str]]:
    return query({"attackers.part": part, **{f"attackers.{key}": value for key, value in state.items()}}, {})


def simulated_gradients(dimension: float, batch: float) -> Link:
    """The audit of simulated gradients in batches of this size; K is d."""
    sizes = {"audit_coordinates": dimension, "audit_batch": batch, "audit_susceptibility": dimension}
    return ATTACKERS, _part("audit", audit_attack="GLiR, simulated gradients", **sizes)


def real_gradients(batch: float) -> Link:
    """The audit of gradients of a model of the digits."""
    return ATTACKERS, _part("audit", audit_attack="GLiR, real gradients", audit_real_batch=batch)


def eta_of_epsilon(epsilon: float) -> Link:
    """What follows from an epsilon about a replaced record, of membership and else."""
    stated = {"convert_epsilon": epsilon, "convert_delta": 0.0, "convert_adjacency": Adjacency.REPLACE_ONE.value}
    return ATTACKERS, _part("converters", **stated)


def reconstruct(release: SampledMechanism, prior: float) -> Link:
    """What a guess of this probability becomes; the box beside the slider takes every prior."""
    state = {**release_in_force.state_of(release), "reconstruct.kappa_exact": float(f"{prior:.3g}")}
    return RECONSTRUCT, query(state, _STARTS)


def sweep(name: str) -> Link:
    """A sweep that comes with the tool."""
    return FRONTIER, {"frontier.weigh": "your own sweep", "frontier.land_from": name}
