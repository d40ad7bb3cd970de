"""Guessing records: quick estimates of reconstruction, real runs, epsilon, and equal promises (Kaissis et al. 2023)."""

from functools import partial

import numpy as np

from numerics import shipped
from numerics.approximations.expansions import clt_mu
from numerics.mechanisms import Gaussian, SampledMechanism
from numerics.reconstruction.published import PANELS, PublishedPanel, shipped_estimates
from numerics.trade_off import Bound, Floats, Order
from pages.papers import links, unknown_record
from pages.papers.question import Drawing, Drawn, Knob, Panel, Paper, Printed, Question
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


_ESTIMATES = (
    (None, "CLT", theme.COMPARED[0], "cross"),
    (_ORDER, "Edgeworth, N^(-3/2)", theme.COMPARED[1], "square"),
)


def _estimated(panel: PublishedPanel, prior: float) -> list[Line]:
    lines = []
    for order, name, color, symbol in _ESTIMATES:
        effects = np.linspace(panel.largest / _POINTS, panel.largest, _POINTS)
        if panel.name == _WIDE:
            effects = np.geomspace(0.25, panel.largest if order is None else _FEW, 3 * _POINTS)
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
    axes = LineAxis(f"Effect size Δ/{scale}", is_wide, ends), LineAxis("Reconstructed γ", ends=(0.0, 1.02))
    blind = None if is_wide else Line("guessing", np.array(ends), np.array([prior, prior]), theme.NEUTRAL, None)
    parts: list[Drawn] = [_truth(panel, prior), *_estimated(panel, prior), *_monte_carlo(panel, prior)]
    return Drawing.of(axes, parts, links.reconstruct(panel.release, prior), blind)


def _estimates_say(scale: str, place: float, words: str, where_drawn: str, seen: Drawing) -> str:
    """What lines have at one effect, what is true of every prior, and what is true where Monte Carlo is drawn."""
    values = (
        f"At Δ/{scale} = {place:g} the truth is {{ground truth @ {place!r}}}; the CLT has {{CLT @ {place!r}}}, "
        f"Edgeworth {{Edgeworth, N^(-3/2) @ {place!r}}}."
    )
    return " ".join([values, words, *([where_drawn] if "too few draws" in seen.names else [])]).strip()


def _largest_epsilon(panel: PublishedPanel) -> float:
    release = panel.at(panel.largest)
    return cached.epsilon(release, 1e-6).estimate if panel.name in ("c", "d") else release.pure_epsilon


def _panel_of_estimates(
    letter: str, words: str, scale: str, read: float, settings: str, epsilon: float, said: tuple[str, str], *touch: int
) -> Panel:
    """``read`` is the effect size of the sentence, ``epsilon`` the largest, which is printed."""
    panel, is_wide = _BY_LETTER[letter], letter == _WIDE
    priors = (1e-6, 1e-5, 1e-4, 1e-3) if is_wide else (0.001, 0.01, 0.03, 0.1, 0.3)
    within = 0.5 * epsilon if is_wide else 0.5  # of panel d the order of magnitude is printed
    return Panel(
        f"Fig. 1{letter}",
        f"{words}: reconstruction over the effect size, from one prior",
        Knob("Prior κ", priors, panel.prior, ""),
        partial(_over_effects, panel, scale),
        partial(_estimates_say, scale, read, *said),
        settings,
        (Printed("largest ε, which sets the right end", "Sec. 3", epsilon, partial(_largest_epsilon, panel), within),),
        touch,
        f"The paper prints the largest ε but not all settings of this panel; those here are ours. {_EDGEWORTH} Monte "
        f"Carlo is drawn where the slider starts, at the paper's prior: {panel.samples:,} samples a point, shipped.",
    )


_QUICK = _question(
    "quick-estimates",
    "Can a quick estimate of reconstruction be trusted?",
    (
        _panel_of_estimates(
            *("c", "Gaussian noise on every record", "σ", 0.25 * _BY_LETTER["c"].largest),
            *("100 releases; ε up to 100 at δ = 10⁻⁶ at the right end", 100.0),
            (
                "For Gaussian noise on every record the truth is a formula, and both estimates lie on it.",
                "Monte Carlo falls to nothing at the right end here, too; the paper says so of panel d alone.",
            ),
            38,
        ),
        _panel_of_estimates(
            *("a", "Sampled Laplace noise", "b", 0.5 * _BY_LETTER["a"].largest),
            *("10 steps at rate 0.5; ε up to 20 at the right end", 20.0),
            ("After so few steps the central limit is not reached.", ""),
            *(40, 43),
        ),
        _panel_of_estimates(
            *("b", "Laplace noise", "b", 0.25 * _BY_LETTER["b"].largest),
            *("100 releases; ε up to 100 at the right end", 100.0),
            (
                "Many releases of Laplace noise are nearly one of Gaussian noise.",
                "Monte Carlo draws the world without the record: where the record shows, next to no draw counts.",
            ),
            43,
        ),
        _panel_of_estimates(
            *("d", "Sampled Gaussian noise, too rare for Monte Carlo", "σ", 4.0),
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


_PRIORS = (1e-7, 0.1)  # the paper's
_CIFAR, _IMAGES = Gaussian(10.5, 4096 / 50_000, 1000), 1_281_167


def _over_priors(run: Gaussian, records: int, batch: float) -> Drawing:
    release = Gaussian(run.noise_multiplier, batch / records, run.steps)
    lines = [
        Line.of_power("ground truth", cached_reconstruction.curve(release), theme.MEMBER),
        Line.of_power("CLT", cached.clt(release), theme.COMPARED[0], "cross"),
        Line.of_power("Edgeworth, N^(-3/2)", cached.edgeworth(release, _ORDER), theme.COMPARED[1], "square"),
    ]
    axes = LineAxis("Prior κ", log=True, ends=_PRIORS), LineAxis("Reconstructed γ", log=True, ends=(1e-7, 1.0))
    return Drawing.of(axes, lines, links.reconstruct(release, 1e-4), Line.guessing(_PRIORS))


_RUNS = _question(
    "real-runs",
    "What do real training runs give away?",
    tuple(
        Panel(
            place,
            f"Training of the size of {data}: reconstruction against the prior",
            Knob("Batch size", batches, start, printed),
            partial(_over_priors, run, records),
            "At a prior of κ = 0.0001 the truth is {ground truth @ 1e-4|.3g}; the CLT has {CLT @ 1e-4|.3g} and "
            "Edgeworth {Edgeworth, N^(-3/2) @ 1e-4|.3g}. At a small rate the CLT errs, to either side, and is no "
            "guarantee.",
            f"noise {run.noise_multiplier:g}, {run.steps:,} steps",
            corrections=(39, 43),
            ours="Noise, steps and the large batch are those of the tables of De et al. (2022) that the paper names. "
            "It prints no small batch size, and draws no ground truth, as it would take weeks to compute: ours is "
            f"certified on arrival. {_EDGEWORTH}",
        )
        for place, data, run, records, batches, start, printed in (
            (
                *("Fig. 2, CIFAR-10", "CIFAR-10", _CIFAR, 50_000, (64, 256, 1024, 4096, 16_384), 4096),
                "paper: 4096; 256, a small rate, is ours",
            ),
            (
                *("Fig. 2/1e, ImageNet", "ImageNet", Gaussian(2.5, 16_384 / _IMAGES, 71_589), _IMAGES),
                *((256, 1024, 4096, 16_384, 65_536), 16_384, "paper: 16384; 1024, small and of Fig. 1e, is ours"),
            ),
        )
    ),
    "The certified truth is ours.",
    "DP-SGD CIFAR ImageNet De batch",
)


def _over_epsilons(run: str, release: SampledMechanism, prior: float) -> Drawing:
    rows = [r for r in shipped.rows("relaxed_reconstruction") if r["run"] == run and float(r["prior"]) == prior]
    epsilon = np.array([float(row["epsilon"]) for row in rows])
    lines = [
        Line(name, epsilon, np.array([float(row[column]) for row in rows]), color, bound, symbol)
        for column, name, color, bound, symbol in (
            ("known", "full knowledge", theme.KNOWS_ALL, Bound.LOWER, ""),
            ("unknown", "record unknown", theme.RECORD_UNKNOWN, Bound.ESTIMATE, "circle"),
            ("folded", "folded steps", theme.COMPARED[1], Bound.UPPER, "square"),
        )
    ]
    blind = Line("guessing", epsilon[[0, -1]], np.array([prior, prior]), theme.NEUTRAL, None)
    axes = LineAxis("Privacy budget ε"), LineAxis("Reconstructed γ", ends=UNIT)
    return Drawing.of(axes, lines, links.reconstruct(release, prior), blind)


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
            partial(_over_epsilons, run, release),
            "At ε = 8 who does not know the record rebuilds {record unknown @ 8}, with full knowledge "
            "{full knowledge @ 8}, and by folded steps, which are one attack and no bound, {folded steps @ 8}.",
            corrections=(16, 15),
            ours="Shipped: data/relaxed_reconstruction.csv; a test computes a part anew."
            + " The paper prints no settings of this run; ours are 171 steps of 524,288 images." * (run == "ImageNet"),
        )
        for run, release in (
            ("CIFAR-10", _CIFAR),
            ("SNLI", Gaussian(1.15, 4096 / 549_361, 405)),
            ("ImageNet", Gaussian(2.5, 16_384 / _IMAGES, 71_589)),
        )
    ),
    finds="privacy budget",
)


_RATES = ((0.1, theme.COLORS[0], ""), (0.5, theme.COLORS[2], "cross"), (0.9, theme.COLORS[3], "diamond"))


def _releases(steps: float) -> list[Gaussian]:
    """At three rates, each with the noise that has the shared epsilon of 4."""
    found = [Gaussian(1.0, rate, int(steps)) for rate, _, _ in _RATES]
    return [one.with_noise(cached.noise_at_epsilon(one, 4.0, 1e-5)) for one in found]


def _guesses(steps: float) -> Drawing:
    releases = _releases(steps)
    lines = [
        Line.of_power(f"p = {rate:g}", cached_reconstruction.curve(release), color, symbol)
        for release, (rate, color, symbol) in zip(releases, _RATES, strict=True)
    ]
    axes = LineAxis("Prior κ", ends=UNIT), LineAxis("Reconstructed γ", ends=UNIT)
    return Drawing.of(axes, lines, links.reconstruct(releases[0], 0.1), Line.guessing(UNIT))


def _both_orders(steps: float) -> Drawing:
    """Symmetric curves of all rates, both orders of the smallest, and the limit of many steps."""
    releases = _releases(steps)
    lines = [
        Line.of_errors(f"p = {rate:g}", cached.trade_off(release, Order.SYMMETRIC), color, symbol)
        for release, (rate, color, symbol) in zip(releases, _RATES, strict=True)
    ]
    for order, name, symbol in ((Order.ADD, "add, p = 0.1", "circle"), (Order.REMOVE, "remove, p = 0.1", "square")):
        lines.append(Line.of_errors(name, cached.trade_off(releases[0], order), _RATES[0][1], symbol))
    if steps > 1:
        limit = Gaussian(1.0 / clt_mu(releases[1])).trade_off(lines[0].x.copy())
        lines.append(Line("CLT, p = 0.5", limit.alpha, limit.beta, theme.NEUTRAL, Bound.ESTIMATE, "x"))
    return Drawing.of(ERRORS, lines, links.compared(releases[0], releases[-1]), BLIND)


def _profiles(steps: float) -> Drawing:
    shown, releases = np.linspace(0.0, 6.0, 25), _releases(steps)
    lines = []
    for release, (rate, color, symbol) in zip(releases, _RATES, strict=True):
        delta = np.array([cached_reconstruction.delta_at(release, float(epsilon)).upper for epsilon in shown])
        lines.append(Line(f"p = {rate:g}", shown, delta, color, Bound.LOWER, symbol))
    axes = LineAxis("ε", ends=(0.0, 6.0)), LineAxis("δ(ε)", log=True, ends=(1e-8, 1.0))
    return Drawing.of(axes, lines, links.profile(releases[0], 1e-5))


_SAME = _question(
    "same-epsilon",
    "Are two releases with the same ε and δ equally risky?",
    tuple(
        Panel(
            place,
            f"Releases at three sampling rates that have one ε at one δ: {words}",
            Knob("Number of steps N", (1, 10, 100, 1000, 10_000), start, printed),
            draw,
            says,
            "ε = 4 at δ = 10⁻⁵",
            corrections=(43,) if printed else (),
            ours="The noise of every curve is the one that has ε = 4 at δ = 10⁻⁵, found on arrival."
            + " The paper prints neither them nor the steps of this panel; ε, δ are Fig. 3's." * (not printed),
        )
        for place, words, start, printed, draw, says in (
            (
                *("Fig. 3/4, trade-off curves", "trade-off curves, one in both orders", 1),
                "Fig. 3: 1, Fig. 4: 10000, called identical",
                _both_orders,
                "At α = 0.1, from the smallest rate to the largest, {p = 0.1 @ 0.1}, {p = 0.5 @ 0.1} and "
                "{p = 0.9 @ 0.1} are missed; at the smallest {add, p = 0.1 @ 0.1} in the one order of the test and "
                "{remove, p = 0.1 @ 0.1} in the other. Slide N up: orders and rates become nearly one curve.",
            ),
            (
                *("Fig. 3/4, privacy profile", "all their promises", 1, "Fig. 3: 1, Fig. 4: 10000, called identical"),
                _profiles,
                "From the smallest rate to the largest, δ at ε = 1 is {p = 0.1 @ 1|.4f}, {p = 0.5 @ 1|.4f} and "
                "{p = 0.9 @ 1|.4f}. They were made to meet at ε = 4: whoever quotes one point says nothing of the "
                "rest.",
            ),
            (
                *("Fig. 1f", "reconstruction against the prior", 100, "", _guesses),
                "At κ = 0.1, from the smallest rate to the largest, {p = 0.1 @ 0.1}, {p = 0.5 @ 0.1} and "
                "{p = 0.9 @ 0.1} are reconstructed: one ε at one δ is one point of each curve. Slide N up: they come "
                "together.",
            ),
        )
    ),
    finds="privacy profile CLT subsampling",
)

QUESTIONS = (_QUICK, _RUNS, _EPSILON_SAYS, _SAME)
