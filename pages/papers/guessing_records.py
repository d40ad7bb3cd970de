"""Guessing records: quick estimates of reconstruction, real runs, epsilon, and equal promises (Kaissis et al. 2023)."""

from collections.abc import Callable
from functools import partial

import numpy as np

from numerics import shipped
from numerics.approximations.expansions import clt_mu
from numerics.mechanisms import Gaussian, SampledMechanism
from numerics.reconstruction.published import PANELS, PublishedPanel, shipped_estimates
from numerics.trade_off import Bound, Floats, Order
from pages.papers import links, unknown_record
from pages.papers.question import Drawing, Knob, Panel, Paper, Printed, Question, of_100, reads
from pages.papers.unknown_record import BLIND, ERRORS, UNIT
from pages.server.shared_cache import shared_cache
from pages.ui import cached, cached_reconstruction
from plotting import theme
from plotting.lines import Dots, Line, LineAxis

PAPER = Paper(
    "003",
    "Kaissis, Hayes, Ziller and Rueckert",
    "2023",
    "Bounding data reconstruction attacks with the hypothesis testing interpretation of differential privacy",
)
GROUP = "Guessing records"
_question = partial(Question, GROUP, PAPER)
_ORDER = 3  # the highest power of N^(-1/2) that is kept (correction 43)
_EDGEWORTH = "Edgeworth keeps terms up to N^(-3/2), which fits what the paper calls order four."


_WIDE = "d"  # the panel whose ground truth takes too long on arrival, and is shipped
_POINTS = 24  # of a line
_FEW = 18.0  # effect size beyond which the privacy loss of panel d hardly ever varies, and Edgeworth has no answer
_READ = {"a": 0.5, "b": 0.25, "c": 0.25}  # parts of the axis at which a point of every line is drawn
_FAR_IN = 4.0  # effect size at which panel d is read
_BY_LETTER = {panel.name: panel for panel in PANELS}


@shared_cache
def _certified(letter: str, prior: float) -> Floats:
    """Effect sizes with lower end, estimate and upper end of what is reconstructed, (4, points)."""
    panel = _BY_LETTER[letter]
    points = _POINTS * (8 if panel.release.bound is Bound.EXACT else 2)
    effects = np.linspace(0.0, panel.largest, points + 1)[1:]
    brackets = [(prior,) * 3, *(panel.at(float(effect)).reconstruction(prior, cached.PRECISION) for effect in effects)]
    return np.column_stack((np.concatenate(([0.0], effects)), np.array(brackets))).T


def _truth(panel: PublishedPanel, prior: float) -> Line:
    if panel.name == _WIDE:
        rows = [row for row in shipped.rows("reconstruction_over_effects") if float(row["prior"]) == prior]
        columns = np.array([[float(row[name]) for name in ("effect", "lower", "estimate", "upper")] for row in rows]).T
    else:
        columns = _certified(panel.name, prior)
    effect, lower, middle, upper = columns
    return Line("ground truth", effect, middle, theme.MEMBER, panel.release.bound, band=(lower, upper))


def _estimated(panel: PublishedPanel, prior: float) -> list[Line]:
    lines = []
    for order, name, color, symbol in (
        (None, "CLT", theme.COMPARED[0], "cross"),
        (_ORDER, "Edgeworth, N^(-3/2)", theme.COMPARED[1], "square"),
    ):
        if panel.name == _WIDE:
            effects = np.geomspace(0.25, panel.largest if order is None else _FEW, 3 * _POINTS)
        else:
            effects = np.linspace(panel.largest / _POINTS, panel.largest, _POINTS)
        found = cached_reconstruction.estimated_at_effects(panel.release, tuple(map(float, effects)), prior, order)
        lines.append(Line(name, effects, found.power, color, Bound.ESTIMATE, symbol))
    return lines


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
    is_wide = panel.name == _WIDE
    ends = (0.25 if is_wide else 0.0, panel.largest)
    axes = (
        LineAxis(f"Effect size Δ/{scale}", log=is_wide, ends=ends),
        LineAxis("Reconstructed γ", ends=(0.0, 1.02)),
    )
    blind = None if is_wide else Line("guessing", np.array(ends), np.array([prior, prior]), theme.NEUTRAL, None)
    return Drawing.of(axes, [_truth(panel, prior), *_estimated(panel, prior)], _monte_carlo(panel, prior), blind)


def _estimates_say(panel: PublishedPanel, scale: str, words: str, where_drawn: str, seen: Drawing) -> str:
    """What lines have at one effect, what is true of every prior, and what is true where Monte Carlo is drawn."""
    place = _FAR_IN if panel.name == _WIDE else _READ[panel.name] * panel.largest
    truth, clt, edgeworth = (of_100(seen.at(name, place)) for name in seen.names[:3])
    values = f"At Δ/{scale} = {place:g} the truth is **{truth}**; the CLT has **{clt}**, Edgeworth **{edgeworth}**."
    return " ".join([values, words, *([where_drawn] if "too few draws" in seen.names else [])]).strip()


def _largest_epsilon(panel: PublishedPanel) -> float:
    release = panel.at(panel.largest)
    return cached.epsilon(release, 1e-6).estimate if panel.name in ("c", "d") else release.pure_epsilon


def _panel_of_estimates(
    letter: str, words: str, scale: str, settings: str, epsilon: float, said: tuple[str, str], *touching: int
) -> Panel:
    panel, is_wide = _BY_LETTER[letter], letter == _WIDE
    priors = (1e-6, 1e-5, 1e-4, 1e-3) if is_wide else (0.001, 0.01, 0.03, 0.1, 0.3)
    within = 0.5 * epsilon if is_wide else 0.5  # of panel d the order of magnitude is printed
    return Panel(
        f"Fig. 1{letter}",
        f"{words}: reconstruction over the effect size, from one prior",
        Knob("Prior κ", priors, panel.prior, is_printed=False),
        partial(_over_effects, panel, scale),
        partial(_estimates_say, panel, scale, *said),
        lambda prior: links.reconstruct(panel.release, prior),
        settings,
        (Printed("largest ε, which sets the right end", "Sec. 3", epsilon, partial(_largest_epsilon, panel), within),),
        touching,
        f"The paper prints the largest ε but not all settings of this panel; those here are ours. {_EDGEWORTH} Monte "
        f"Carlo is drawn where the slider starts, at the paper's prior: {panel.samples:,} samples a point, shipped.",
    )


_QUICK = _question(
    "quick-estimates",
    "Can a quick estimate of reconstruction be trusted?",
    (
        _panel_of_estimates(
            *("c", "Gaussian noise on every record", "σ", "100 releases; ε up to 100 at δ = 10⁻⁶ at the right end"),
            100.0,
            (
                "For Gaussian noise on every record the truth is a formula, and both estimates lie on it.",
                "Monte Carlo falls to nothing at the right end here, too; the paper says so of panel d alone.",
            ),
            38,
        ),
        _panel_of_estimates(
            *("a", "Sampled Laplace noise", "b", "10 steps at rate 0.5; ε up to 20 at the right end", 20.0),
            *(("After so few steps the central limit is not reached.", ""), 40, 43),
        ),
        _panel_of_estimates(
            *("b", "Laplace noise", "b", "100 releases; ε up to 100 at the right end", 100.0),
            (
                "Many releases of Laplace noise are nearly one of Gaussian noise.",
                "Monte Carlo draws the world without the record: where the record shows, next to no draw counts.",
            ),
            43,
        ),
        _panel_of_estimates(
            *("d", "Sampled Gaussian noise, too rare for Monte Carlo", "σ"),
            *("rate 0.001, 10,000 steps, in which one record of 22,000 is never sampled", 1e8),
            (
                "At so low a rate the CLT leaps from nothing to all, while the truth rises slowly, and never to all: "
                "who was not sampled is safe.",
                "Monte Carlo has too few draws everywhere.",
            ),
            *(39, 43),
        ),
    ),
    "Settings ours, where the paper prints none.",
    "ReRo CLT Edgeworth Monte Carlo reconstruction robustness",
)


_IMAGES = 1_281_167
_CIFAR, _IMAGENET = Gaussian(10.5, 4096 / 50_000, 1000), Gaussian(2.5, 16_384 / _IMAGES, 71_589)
_SMALL_CIFAR, _SMALL_IMAGENET = Gaussian(10.5, 256 / 50_000, 1000), Gaussian(2.5, 1024 / _IMAGES, 71_589)
_PRIORS = (1e-7, 0.1)  # the paper's


def _over_priors(release: SampledMechanism) -> Drawing:
    lines = [
        Line.of_power("ground truth", cached_reconstruction.curve(release), theme.MEMBER),
        Line.of_power("CLT", cached.clt(release), theme.COMPARED[0], "cross"),
        Line.of_power("Edgeworth, N^(-3/2)", cached.edgeworth(release, _ORDER), theme.COMPARED[1], "square"),
    ]
    axes = LineAxis("Prior κ", log=True, ends=_PRIORS), LineAxis("Reconstructed γ", log=True, ends=(1e-7, 1.0))
    return Drawing.of(axes, lines, blind=Line.guessing(_PRIORS))


_RUN = (
    "Where the slider starts, noise and steps are those of the tables of De et al. (2022) that the paper names. It "
    f"draws no ground truth, as it would take weeks to compute: ours is certified on arrival. {_EDGEWORTH}"
)


def _panel_of_run(case: str, run: Gaussian, settings: str, knob: Knob, at: Callable[[float], Gaussian]) -> Panel:
    ours = "" if run in (_CIFAR, _IMAGENET) else "The batch size is ours: the paper prints none for this panel. "
    return Panel(
        case,
        f"Training of the size of {'CIFAR-10' if 'CIFAR' in case else 'ImageNet'}: reconstruction against the prior",
        knob,
        lambda value: _over_priors(at(value)),
        reads(
            "At a prior of κ = 0.0001 the truth is {}; the CLT has {} and Edgeworth {}. At small noise or a small rate "
            "the CLT errs, to either side, and is no guarantee.",
            *((name, 1e-4) for name in ("ground truth", "CLT", "Edgeworth, N^(-3/2)")),
            of=lambda guess: f"{guess:.3g}",
        ),
        lambda value: links.reconstruct(at(value), 1e-4),
        settings,
        corrections=(39, 43),
        ours=f"{ours}{_RUN}",
    )


_CIFAR_NOISES, _IMAGENET_NOISES = (1.0, 2.0, 3.0, 5.0, 7.0, 10.5, 15.0), (0.8, 1.0, 1.5, 2.5, 4.0, 6.0)
_RUNS = _question(
    "real-runs",
    "What do real training runs give away?",
    (
        *(
            _panel_of_run(
                f"Fig. 2, {case}",
                run,
                settings,
                Knob("Noise multiplier", noises, run.noise_multiplier, is_printed=False),
                run.with_noise,
            )
            for case, run, noises, settings in (
                ("CIFAR-10", _CIFAR, _CIFAR_NOISES, "batches of 4,096 of 50,000, 1,000 steps"),
                ("CIFAR-10, small rate", _SMALL_CIFAR, _CIFAR_NOISES, "batches of 256 of 50,000, 1,000 steps"),
                ("ImageNet", _IMAGENET, _IMAGENET_NOISES, "batches of 16,384, 71,589 steps"),
                ("ImageNet, small batch", _SMALL_IMAGENET, _IMAGENET_NOISES, "batches of 1,024, 71,589 steps"),
            )
        ),
        _panel_of_run(
            *("Fig. 1e", _SMALL_IMAGENET, "noise 2.5, 71,589 steps"),
            Knob("Batch size", (256, 1024, 4096, 16_384, 65_536), 1024, is_printed=False),
            lambda batch: Gaussian(2.5, batch / _IMAGES, 71_589),
        ),
    ),
    "The certified truth is ours.",
    "DP-SGD CIFAR ImageNet De batch",
)


_NAMES = (
    ("known", "full knowledge", theme.KNOWS_ALL, Bound.LOWER, ""),
    ("unknown", "record unknown", theme.RECORD_UNKNOWN, Bound.ESTIMATE, "circle"),
    ("folded", "folded steps", theme.COMPARED[1], Bound.UPPER, "square"),
)


def _over_epsilons(run: str, prior: float) -> Drawing:
    rows = [r for r in shipped.rows("relaxed_reconstruction") if r["run"] == run and float(r["prior"]) == prior]
    epsilon = np.array([float(row["epsilon"]) for row in rows])
    lines = [
        Line(name, epsilon, np.array([float(row[column]) for row in rows]), color, bound, symbol)
        for column, name, color, bound, symbol in _NAMES
    ]
    axes = LineAxis("Privacy budget ε"), LineAxis("Reconstructed γ", ends=UNIT)
    blind = Line("guessing", epsilon[[0, -1]], np.array([prior, prior]), theme.NEUTRAL, None)
    return Drawing.of(axes, lines, blind=blind)


_EPSILON_SAYS = Question(
    GROUP,
    unknown_record.PAPER,
    "epsilon-and-reconstruction",
    "What does ε say about reconstruction?",
    tuple(
        Panel(
            f"Fig. 7, {run}",
            f"Reconstruction of the {run} run against ε: full knowledge, and a record unknown in one dimension",
            Knob("Prior κ", (1e-6, 1e-4, 1e-3, 0.01, 0.1, 0.3), 0.1),
            partial(_over_epsilons, run),
            reads(
                "At ε = 8 who does not know the record rebuilds {}, with full knowledge {}, and by folded steps {}, "
                "which is one attack, and no bound. Whoever can hardly guess gains most, in proportion.",
                *(("record unknown", 8.0), ("full knowledge", 8.0), ("folded steps", 8.0)),
            ),
            partial(links.reconstruct, release),
            corrections=(16, 15),
            ours="Shipped: data/relaxed_reconstruction.csv; a test computes a part anew."
            + " The paper prints no settings of this run; ours are 171 steps of 524,288 images." * (run == "ImageNet"),
        )
        for run, release in (
            ("CIFAR-10", _CIFAR),
            ("SNLI", Gaussian(1.15, 4096 / 549_361, 405)),
            ("ImageNet", _IMAGENET),
        )
    ),
    finds="privacy budget",
)


_RATES = ((0.1, theme.COLORS[0], ""), (0.5, theme.COLORS[2], "cross"), (0.9, theme.COLORS[3], "diamond"))
_THREE = tuple(f"p = {rate:g}" for rate, _, _ in _RATES)


def _release(rate: float, steps: float) -> Gaussian:
    """The release with the noise that has the shared epsilon of 4."""
    return Gaussian(cached.noise_at_epsilon(Gaussian(1.0, rate, int(steps)), 4.0, 1e-5), rate, int(steps))


def _guesses(steps: float) -> Drawing:
    lines = []
    for rate, color, symbol in _RATES:
        curve = cached_reconstruction.curve(_release(rate, steps))
        lines.append(Line.of_power(f"p = {rate:g}", curve, color, symbol))
    axes = LineAxis("Prior κ", ends=UNIT), LineAxis("Reconstructed γ", ends=UNIT)
    return Drawing.of(axes, lines, blind=Line.guessing(UNIT))


def _both_orders(steps: float) -> Drawing:
    """Symmetric curves of all rates, both orders of the smallest, and the limit of many steps."""
    releases = [_release(rate, steps) for rate, _, _ in _RATES]
    lines = []
    for release, (rate, color, symbol) in zip(releases, _RATES, strict=True):
        curve = cached.trade_off(release, Order.SYMMETRIC)
        lines.append(Line.of_errors(f"p = {rate:g}", curve, color, symbol))
    for order, name, symbol in ((Order.ADD, "add, p = 0.1", "circle"), (Order.REMOVE, "remove, p = 0.1", "square")):
        lines.append(Line.of_errors(name, cached.trade_off(releases[0], order), _RATES[0][1], symbol))
    if steps > 1:
        limit = Gaussian(1.0 / clt_mu(releases[1])).trade_off(lines[0].x.copy())
        lines.append(Line("CLT, p = 0.5", limit.alpha, limit.beta, theme.NEUTRAL, Bound.ESTIMATE, "x"))
    return Drawing.of(ERRORS, lines, blind=BLIND)


def _profiles(steps: float) -> Drawing:
    shown, lines = np.linspace(0.0, 6.0, 25), []
    for rate, color, symbol in _RATES:
        release = _release(rate, steps)
        delta = np.array([cached_reconstruction.delta_at(release, float(epsilon)).upper for epsilon in shown])
        lines.append(Line(f"p = {rate:g}", shown, delta, color, Bound.LOWER, symbol))
    return Drawing.of((LineAxis("ε", ends=(0.0, 6.0)), LineAxis("δ(ε)", log=True, ends=(1e-8, 1.0))), lines)


_REBUILT = reads(
    "One ε at one δ is one point of each curve, elsewhere the releases differ: at κ = 0.1, from the smallest rate to "
    "the largest, {}, {} and {} are reconstructed. Slide N up: they come together.",
    *((name, 0.1) for name in _THREE),
)
_MISSED = reads(
    "At α = 0.1, from the smallest rate to the largest, {}, {} and {} are missed; at the smallest {} in the one order "
    "of the test and {} in the other. Slide N up: orders and rates become nearly one curve.",
    *((name, 0.1) for name in (*_THREE, "add, p = 0.1", "remove, p = 0.1")),
)
_DELTAS = reads(
    "From the smallest rate to the largest, δ at ε = 1 is {}, {} and {}. They were made to meet at ε = 4: whoever "
    "quotes one point says nothing of the rest.",
    *((name, 1.0) for name in _THREE),
    of=lambda delta: f"{delta:.4f}",
)
_OURS = "The noise of every curve is the one that has ε = 4 at δ = 10⁻⁵, found on arrival."
_SAME = _question(
    "same-epsilon",
    "Are two releases with the same ε and δ equally risky?",
    tuple(
        Panel(
            place,
            f"Releases at three sampling rates that have one ε at one δ: {words}",
            Knob("Number of steps N", (1, 10, 100, 1000, 10_000), start, is_printed=not unprinted),
            draw,
            says,
            lambda steps: links.reconstruct(_release(0.1, steps), 0.1),
            "ε = 4 at δ = 10⁻⁵",
            corrections=() if unprinted else (43,),
            ours=f"{_OURS}{unprinted}",
        )
        for place, words, start, draw, says, unprinted in (
            ("Fig. 3, trade-off curves", "trade-off curves, one in both orders", 1, _both_orders, _MISSED, ""),
            ("Fig. 3, privacy profile", "all their promises", 1, _profiles, _DELTAS, ""),
            ("Fig. 4, trade-off curves", "called identical in print", 10_000, _both_orders, _MISSED, ""),
            (
                "Fig. 4, privacy profile",
                "all their promises, called identical in print",
                10_000,
                _profiles,
                _DELTAS,
                "",
            ),
            (
                *("Fig. 1f", "reconstruction against the prior", 100, _guesses, _REBUILT),
                " The paper prints neither them nor the steps of this panel; ε, δ are Fig. 3's.",
            ),
        )
    ),
    finds="privacy profile CLT subsampling",
)

QUESTIONS = (_QUICK, _RUNS, _EPSILON_SAYS, _SAME)
