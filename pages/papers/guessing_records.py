"""Guessing records: quick estimates of reconstruction, real runs, epsilon, and equal promises (Kaissis et al. 2023)."""

from functools import partial

import numpy as np

from numerics.approximations.expansions import clt_mu
from numerics.calibration import EpsilonTarget, noise_for
from numerics.deadline import UNLIMITED, Deadline
from numerics.mechanisms import Gaussian, SampledMechanism
from numerics.reconstruction.published import PANELS, PublishedPanel, shipped_estimates
from numerics.relaxed.hypothetical import TASKS
from numerics.trade_off import Bound, Floats, Order
from pages.papers import links, unknown_record
from pages.papers.question import Drawing, Drawn, Knob, Panel, Paper, Printed, Question, shipped_columns
from pages.papers.unknown_record import BLIND, ERRORS, UNIT
from pages.server.shared_cache import shared_cache
from pages.ui import cached, comparison, prior_guess
from pages.ui.catalog import MECHANISM
from plotting import theme
from plotting.lines import Dots, Line, LineAxis

PAPER = Paper(
    "003",
    "Kaissis, Hayes, Ziller and Rueckert",
    "2023",
    "Bounding data reconstruction attacks with the hypothesis testing interpretation of differential privacy",
)
_question = partial(Question, "Guessing records", PAPER)
_ORDER = 3  # the highest power of N^(-1/2) that is kept (correction 43)
_EDGEWORTH = "Edgeworth keeps terms up to N^(-3/2), which fits what the paper calls order four."


_A, _B, _C, _D = PANELS  # the ground truth of the last takes too long on arrival, and is shipped
_POINTS = 24  # of a line
_FEW = 18.0  # effect size beyond which the privacy loss of panel d hardly ever varies, and Edgeworth has no answer


@shared_cache
def _certified(panel: PublishedPanel, prior: float) -> Floats:
    """Effect sizes with lower end, estimate and upper end of what is reconstructed, (4, points)."""
    points = _POINTS * (8 if panel.release.bound is Bound.EXACT else 2)
    effects = np.linspace(0.0, panel.largest, points + 1)[1:]
    brackets = [(prior,) * 3, *(panel.at(float(effect)).reconstruction(prior, cached.PRECISION) for effect in effects)]
    return np.column_stack((np.concatenate(([0.0], effects)), np.array(brackets))).T


def _truth(panel: PublishedPanel, prior: float) -> Line:
    if panel == _D:
        columns = shipped_columns("reconstruction_over_effects", "effect", "lower", "estimate", "upper", prior=prior)
    else:
        columns = _certified(panel, prior)
    effect, lower, middle, upper = columns
    return Line("ground truth", effect, middle, theme.MEMBER, panel.release.bound, band=(lower, upper))


def _estimated(panel: PublishedPanel, prior: float, order: int | None, name: str, color: str, symbol: str) -> Line:
    effects = np.linspace(panel.largest / _POINTS, panel.largest, _POINTS)
    if panel == _D:
        effects = np.geomspace(0.25, panel.largest if order is None else _FEW, 3 * _POINTS)
    found = prior_guess.estimated_at_effects(panel.release, tuple(map(float, effects)), prior, order)
    return Line(name, effects, found.power, color, Bound.ESTIMATE, symbol)


def _monte_carlo(panel: PublishedPanel, prior: float) -> list[Dots]:
    """As the paper draws it, at its prior alone; where too few draws count, without an error that would hold."""
    points = [point for point in shipped_estimates() if point.panel == panel.name and prior == panel.prior]
    dots = []
    for usable, name, symbol in ((True, "Monte Carlo", "circle-open"), (False, "too few draws", "x-thin")):
        kept = [(one.effect, one.estimate, one.standard_error) for one in points if one.usable is usable]
        if kept:
            x, y, error = np.array(kept).T
            dots.append(Dots(name, x, y, theme.MEASURED, error if usable else None, symbol))
    return dots


def _over_effects(panel: PublishedPanel, scale: str, prior: float) -> Drawing:
    is_wide = panel == _D
    ends = (0.25 if is_wide else 0.0, panel.largest)
    axes = LineAxis(f"Effect size Δ/{scale}", is_wide, ends), LineAxis("Reconstructed γ", ends=(0.0, 1.02))
    blind = None if is_wide else Line("guessing", np.array(ends), np.array([prior, prior]), theme.NEUTRAL, None)
    parts: list[Drawn] = [
        _truth(panel, prior),
        _estimated(panel, prior, None, "CLT", theme.COMPARED[0], "cross"),
        _estimated(panel, prior, _ORDER, "Edgeworth, N^(-3/2)", theme.COMPARED[1], "square"),
        *_monte_carlo(panel, prior),
    ]
    return Drawing.of(axes, parts, links.reconstruct(panel.release, prior), blind)


def _estimates_say(scale: str, place: float, words: str, where_drawn: str, seen: Drawing) -> str:
    """What lines have at one effect, what is true of every prior, and what is true where Monte Carlo is drawn."""
    return (
        f"At Δ/{scale} = {place:g} the truth is {{ground truth @ {place!r}}}; the CLT has {{CLT @ {place!r}}}, "
        f"Edgeworth {{Edgeworth, N^(-3/2) @ {place!r}}}. {words}{where_drawn * ('too few draws' in seen.names)}"
    )


def _panel_of_estimates(
    panel: PublishedPanel, words: str, scale: str, settings: str, epsilon: float, said: tuple[str, str], *touch: int
) -> Panel:
    """``epsilon`` is the largest, which is printed."""
    is_wide, largest = panel == _D, panel.at(panel.largest)
    read = {"a": 0.5 * panel.largest, "d": 4.0}.get(panel.name, 0.25 * panel.largest)

    def recomputed() -> float:
        return largest.pure_epsilon if largest.pure_epsilon < np.inf else cached.epsilon(largest, 1e-6).estimate

    return Panel(
        f"Fig. 1{panel.name}: {words}: reconstruction over the effect size",
        Knob("Prior κ", (1e-6, 1e-5, 1e-4, 1e-3) if is_wide else (0.001, 0.01, 0.03, 0.1, 0.3), panel.prior, ""),
        partial(_over_effects, panel, scale),
        partial(_estimates_say, scale, read, *said),
        settings,
        # Of panel d the order of magnitude is printed.
        (Printed("largest ε, the right end", "Sec. 3", epsilon, recomputed, 0.5 * epsilon if is_wide else 0.5),),
        touch,
        f"The paper prints the largest ε but not all settings of this panel; those here are ours. {_EDGEWORTH} Monte "
        f"Carlo is drawn where the slider starts, at the paper's prior: {panel.samples:,} samples a point, shipped.",
    )


_QUICK = _question(
    "quick-estimates",
    "Can a quick estimate of reconstruction be trusted?",
    "Settings ours, where the paper prints none.",
    "ReRo CLT Edgeworth Monte Carlo reconstruction robustness",
).answered_by(
    _panel_of_estimates(
        *(_C, "Gaussian noise on every record", "σ", "100 releases, ε up to 100 at δ = 10⁻⁶", 100.0),
        (
            "For Gaussian noise on every record the truth is a formula, and both estimates lie on it.",
            " Monte Carlo falls to nothing at the right end.",
        ),
        38,
    ),
    _panel_of_estimates(
        *(_A, "Sampled Laplace noise", "b", "10 steps at rate 0.5, ε up to 20", 20.0),
        ("After so few steps the central limit is not reached.", ""),
        *(40, 43),
    ),
    _panel_of_estimates(
        *(_B, "Laplace noise", "b", "100 releases, ε up to 100", 100.0),
        (
            "Many releases of Laplace noise are nearly one of Gaussian noise.",
            " Monte Carlo draws the world without the record: where the record shows, next to no draw counts.",
        ),
        43,
    ),
    _panel_of_estimates(
        *(_D, "Sampled Gaussian noise, too rare for Monte Carlo", "σ", "rate 0.001, 10,000 steps", 1e8),
        (
            "At so low a rate the CLT leaps from nothing to all; the truth never does: who was not sampled is safe.",
            " Monte Carlo has too few draws everywhere.",
        ),
        *(39, 43),
    ),
)


_PRIORS = (1e-7, 0.1)  # the paper's
_IMAGES = 1_281_167


def _over_priors(run: Gaussian, records: int, batch: float) -> Drawing:
    release = Gaussian(run.noise_multiplier, batch / records, run.steps)
    lines = [
        Line.of_power("ground truth", prior_guess.curve(release), theme.MEMBER),
        Line.of_power("CLT", cached.clt(release), theme.COMPARED[0], "cross"),
        Line.of_power("Edgeworth, N^(-3/2)", cached.edgeworth(release, _ORDER), theme.COMPARED[1], "square"),
    ]
    axes = LineAxis("Prior κ", log=True, ends=_PRIORS), LineAxis("Reconstructed γ", log=True, ends=(1e-7, 1.0))
    return Drawing.of(axes, lines, links.reconstruct(release, 1e-4), Line.guessing(_PRIORS))


def _panel_of_run(place: str, run: Gaussian, records: int, batches: Knob) -> Panel:
    return Panel(
        f"{place}: Reconstruction against the prior",
        batches,
        partial(_over_priors, run, records),
        "At a prior of κ = 0.0001 the truth is {ground truth @ 1e-4|.3g}; the CLT has {CLT @ 1e-4|.3g} and Edgeworth "
        "{Edgeworth, N^(-3/2) @ 1e-4|.3g}. At a small rate the CLT errs, to either side, and is no guarantee.",
        f"noise {run.noise_multiplier:g}, {run.steps:,} steps",
        corrections=(39, 43),
        ours="Noise, steps and the large batch are those of the tables of De et al. (2022) that the paper names. It "
        f"prints no small batch size, and draws no ground truth: ours is certified on arrival. {_EDGEWORTH}",
    )


_RUNS = _question(
    "real-runs", "What do real training runs give away?", "The certified truth is ours.", "DP-SGD CIFAR ImageNet De"
).answered_by(
    _panel_of_run(
        *("Fig. 2, CIFAR-10", Gaussian(10.5, 4096 / 50_000, 1000), 50_000),
        Knob("Batch size", (64, 256, 1024, 4096, 16_384), 4096, "paper: 4096; 256, a small rate, is ours"),
    ),
    _panel_of_run(
        *("Fig. 2/1e, ImageNet", Gaussian(2.5, 16_384 / _IMAGES, 71_589), _IMAGES),
        Knob(
            *("Batch size", (256, 1024, 4096, 16_384, 65_536), 16_384),
            "paper: 16384; 1024, small and of Fig. 1e, is ours",
        ),
    ),
)


_READ = 8.0  # epsilon of the sentence, whose noise the link has


def _over_epsilons(run: str, release: SampledMechanism, prior: float) -> Drawing:
    names = ("epsilon", "noise", "known", "unknown", "folded")
    epsilon, noise, known, unknown, folded = shipped_columns("relaxed_reconstruction", *names, run=run, prior=prior)
    lines = [
        Line("full knowledge", epsilon, known, theme.KNOWS_ALL, Bound.LOWER),
        Line("record unknown", epsilon, unknown, theme.RECORD_UNKNOWN, Bound.ESTIMATE, "circle"),
        Line("folded steps", epsilon, folded, theme.COMPARED[1], Bound.UPPER, "square"),
    ]
    blind = Line("guessing", epsilon[[0, -1]], np.array([prior, prior]), theme.NEUTRAL, None)
    axes = LineAxis("Privacy budget ε"), LineAxis("Reconstructed γ", ends=UNIT)
    (read,) = noise[epsilon == _READ].tolist()
    return Drawing.of(axes, lines, links.reconstruct(release.with_noise(read), prior), blind)


_ON_IMAGES = "The paper prints no settings of this run; ours are 171 steps of 524,288 images. "
_EPSILON_SAYS = Question(
    "Guessing records",
    unknown_record.PAPER,
    "epsilon-and-reconstruction",
    "What does ε say about reconstruction?",
    finds="privacy budget",
).answered_by(
    *(
        Panel(
            f"Fig. 7, {run}: Reconstruction of the {run} run against ε: full knowledge, and a record unknown",
            Knob("Prior κ", (1e-6, 1e-4, 1e-3, 0.01, 0.1, 0.3), 0.1),
            partial(_over_epsilons, run, release),
            "At ε = 8 who does not know the record rebuilds {record unknown @ 8}, with full knowledge "
            "{full knowledge @ 8}, and by folded steps, which are one attack and no bound, {folded steps @ 8}.",
            "one dimension",
            corrections=(16, 15),
            ours=f"{_ON_IMAGES * (run == 'ImageNet')}Shipped: data/relaxed_reconstruction.csv.",
        )
        for run, release in (
            *((task.name, task.release) for task in TASKS),
            ("ImageNet", Gaussian(1.0, 524_288 / _IMAGES, 171)),
        )
    ),
)


@shared_cache
def _noise_at_epsilon(release: Gaussian, epsilon: float, delta: float, deadline: Deadline = UNLIMITED) -> float:
    """The noise at which ``release`` has this epsilon, settled on narrower brackets than those that pages show."""
    return noise_for(EpsilonTarget(epsilon, delta), release, deadline=deadline).noise_multiplier


def _releases(steps: float) -> list[tuple[Gaussian, str, str, str]]:
    """At three rates, each with the noise that has the shared epsilon of 4, a name, a colour and a symbol."""
    found = []
    for rate, color, symbol in ((0.1, 0, ""), (0.5, 2, "cross"), (0.9, 3, "diamond")):
        release = Gaussian(1.0, rate, int(steps))
        release = release.with_noise(_noise_at_epsilon(release, 4.0, 1e-5))
        found.append((release, f"p = {rate:g}", theme.COLORS[color], symbol))
    return found


def _guesses(steps: float) -> Drawing:
    releases = _releases(steps)
    lines = [Line.of_power(name, prior_guess.curve(one), *look) for one, name, *look in releases]
    axes = LineAxis("Prior κ", ends=UNIT), LineAxis("Reconstructed γ", ends=UNIT)
    return Drawing.of(axes, lines, links.reconstruct(releases[0][0], 0.1), Line.guessing(UNIT))


def _both_orders(steps: float) -> Drawing:
    """Symmetric curves of all rates, both orders of the smallest, and the limit of many steps."""
    releases = _releases(steps)
    lines = [Line.of_errors(name, cached.trade_off(one, Order.SYMMETRIC), *look) for one, name, *look in releases]
    first, middle, last = (one for one, *_ in releases)
    for order, name, symbol in ((Order.ADD, "add, p = 0.1", "circle"), (Order.REMOVE, "remove, p = 0.1", "square")):
        lines.append(Line.of_errors(name, cached.trade_off(first, order), lines[0].color, symbol))
    if steps > 1:
        limit = Gaussian(1.0 / clt_mu(middle)).trade_off(lines[0].x.copy())
        lines.append(Line("CLT, p = 0.5", limit.alpha, limit.beta, theme.NEUTRAL, Bound.ESTIMATE, "x"))
    link = links.shown(MECHANISM, first, {comparison.KEY: comparison.spelled(last)})
    return Drawing.of(ERRORS, lines, link, BLIND)


_STEPS = (1, 10, 100, 1000, 10_000)
_SHARED = "ε = 4 at δ = 10⁻⁵"
_FOUND = f"The noise of every curve is the one that has {_SHARED}, found on arrival."
_SAME = _question(
    "same-epsilon", "Are two releases with the same ε and δ equally risky?", finds="privacy profile CLT"
).answered_by(
    Panel(
        "Fig. 3/4: Three sampling rates: trade-off curves, one in both orders",
        Knob("Number of steps N", _STEPS, 1, "Fig. 3: 1, Fig. 4: 10000"),
        _both_orders,
        "At α = 0.1 {p = 0.1 @ 0.1}, {p = 0.5 @ 0.1} and {p = 0.9 @ 0.1} are missed, at growing rates; in the two "
        "orders of the smallest, {add, p = 0.1 @ 0.1} and {remove, p = 0.1 @ 0.1}. Slide N up: all nearly meet.",
        _SHARED,
        corrections=(43,),
        ours=_FOUND,
    ),
    Panel(
        "Fig. 1f: Three sampling rates: reconstruction against the prior",
        Knob("Number of steps N", _STEPS, 100, ""),
        _guesses,
        "At κ = 0.1, from the smallest rate to the largest, {p = 0.1 @ 0.1}, {p = 0.5 @ 0.1} and {p = 0.9 @ 0.1} are "
        "reconstructed: one ε at one δ is one point of each curve. Slide N up: they come together.",
        _SHARED,
        ours=f"{_FOUND} The paper prints neither them nor the steps of this panel; ε, δ are Fig. 3's.",
    ),
)

QUESTIONS = (_QUICK, _RUNS, _EPSILON_SAYS, _SAME)
