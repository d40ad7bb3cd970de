"""Fig. 1e and 2: reconstruction against the prior, for runs of the size of CIFAR-10 and ImageNet."""

from collections.abc import Callable
from functools import partial

import numpy as np

from numerics.mechanisms import SampledMechanism
from numerics.trade_off import TradeOffCurve
from pages.papers.figure import Drawing, MovingParameter, PaperFigure
from pages.papers.paper_003.over_effects import EDGEWORTH, ORDER
from pages.papers.reconstruct_presets import FIGURES as PRESETS
from pages.ui import cached, cached_reconstruction
from pages.ui.catalog import RECONSTRUCT
from plotting import theme
from plotting.lines import Line, LineAxis

_PRESETS = {preset.name: preset for preset in PRESETS}
_ENDS = (1e-7, 0.1)  # the paper's
_IMAGES = 1_281_167


def _line(name: str, curve: TradeOffCurve, color: str, symbol: str = "") -> Line:
    band = None
    if curve.lower is not None and curve.upper is not None:
        band = curve.upper.power, curve.lower.power
    return Line(name, curve.alpha, curve.power, color, curve.bound, symbol, band)


def _over_priors(release: SampledMechanism) -> Drawing:
    lines = [
        _line("ground truth", cached_reconstruction.curve(release), theme.MEMBER),
        _line("CLT", cached.clt(release), theme.COMPARED[0], "cross"),
        _line("Edgeworth, N^(-3/2)", cached.edgeworth(release, ORDER), theme.COMPARED[1], "square"),
    ]
    axes = LineAxis("Prior κ", log=True, ends=_ENDS), LineAxis("Reconstructed γ", log=True, ends=(1e-7, 1.0))
    blind = Line("guessing", np.array(_ENDS), np.array(_ENDS), theme.NEUTRAL, None)
    values = ", ".join(f"{line.name} {np.interp(1e-4, line.x, line.y):.3g}" for line in lines)
    alt = f"Reconstruction of {release.label} against the prior: from a prior of 0.0001, {values}."
    return Drawing.of(alt, axes, lines, blind=blind)


def _at_noise(release: SampledMechanism, noise: float) -> Drawing:
    return _over_priors(release.with_noise(noise))


def _at_batch(batch: float) -> Drawing:
    release = _PRESETS["003 Fig. 1e"].mechanism
    return _over_priors(type(release)(release.noise_multiplier, batch / _IMAGES, release.steps))


def _compared(second: str, seen: Drawing) -> str:
    truth, clt, edgeworth = (f"{seen.at(name, 1e-4):.3g}" for name in seen.names)
    return f"At a prior of κ = 0.0001 the truth is {truth}; the CLT has {clt} and Edgeworth {edgeworth}. {second}"


def _figure(
    name: str,
    settings: str,
    draw: Callable[[float], Drawing],
    parameter: MovingParameter,
    second: str,
    source: str = "",
) -> PaperFigure:
    return PaperFigure.of_preset(
        _PRESETS[name],
        RECONSTRUCT,
        f"Training of the size of {name.partition(', ')[2] or 'ImageNet'}: reconstruction against the prior.",
        settings=settings,
        draw=draw,
        parameter=parameter,
        notice=partial(_compared, second),
        corrections=(39, 43),
        source=f"{source} Where the slider starts, noise and steps are those of the tables of De et al. (2022) that "
        "the paper names. It draws no ground truth, as it would take weeks to compute: ours is certified on arrival. "
        f"{EDGEWORTH}",
    )


def _panel(name: str, settings: str, noises: tuple[float, ...], second: str, source: str = "") -> PaperFigure:
    release = _PRESETS[name].mechanism
    parameter = MovingParameter("Noise multiplier", noises, release.noise_multiplier, is_printed=False)
    return _figure(name, settings, partial(_at_noise, release), parameter, second, source)


_CIFAR_NOISES, _IMAGENET_NOISES = (1.0, 2.0, 3.0, 5.0, 7.0, 10.5, 15.0), (0.8, 1.0, 1.5, 2.5, 4.0, 6.0)
_OURS = "The batch size is ours: the paper prints none for this panel."

FIGURES = (
    _figure(
        "003 Fig. 1e",
        "noise 2.5, 71,589 steps",
        _at_batch,
        MovingParameter("Batch size", (256, 1024, 4096, 16_384, 65_536), 1024, is_printed=False),
        "Slide the batch up: the same noise protects less, and rare guesses gain most.",
        _OURS,
    ),
    _panel(
        "003 Fig. 2, CIFAR-10",
        "batches of 4,096 of 50,000, 1,000 steps",
        _CIFAR_NOISES,
        "Slide the noise down: the CLT then has more than is true, and Edgeworth still agrees.",
    ),
    _panel(
        "003 Fig. 2, CIFAR-10, small rate",
        "batches of 256 of 50,000, 1,000 steps",
        _CIFAR_NOISES,
        "Slide the noise down: here the CLT then has too little, and is no guarantee.",
        _OURS,
    ),
    _panel(
        "003 Fig. 2, ImageNet",
        "batches of 16,384, 71,589 steps",
        _IMAGENET_NOISES,
        "Slide the noise down, and the CLT errs before Edgeworth does.",
    ),
    _panel(
        "003 Fig. 2, ImageNet, small batch",
        "batches of 1,024, 71,589 steps",
        _IMAGENET_NOISES,
        "Slide the noise down: the CLT then says too little of what rare guesses gain.",
        _OURS,
    ),
)
