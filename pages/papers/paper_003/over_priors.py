"""Fig. 1e and 2: reconstruction against the prior, for runs of the size of CIFAR-10 and ImageNet."""

from collections.abc import Callable
from functools import partial

import numpy as np

from numerics.mechanisms import SampledMechanism
from numerics.trade_off import TradeOffCurve
from pages.papers.figure import Drawing, MovingParameter, PaperFigure
from pages.reconstruct.presets import FIGURES as PRESETS
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
        _line("Edgeworth 4", cached.edgeworth(release, 4), theme.COMPARED[1], "square"),
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


def _figure(
    name: str, draw: Callable[[float], Drawing], parameter: MovingParameter, notice: str, source: str = ""
) -> PaperFigure:
    return PaperFigure.of_preset(
        _PRESETS[name],
        RECONSTRUCT,
        draw=draw,
        parameter=parameter,
        notice=notice,
        corrections=(39, 43),
        source=f"{source} Noise and steps are those of the tables of De et al. (2022) that the paper names. It has no "
        "ground truth here, as it would take weeks to compute: certified on arrival.",
    )


def _panel(name: str, noises: tuple[float, ...], notice: str, source: str = "") -> PaperFigure:
    release = _PRESETS[name].mechanism
    parameter = MovingParameter("Noise multiplier", noises, release.noise_multiplier, is_printed=False)
    return _figure(name, partial(_at_noise, release), parameter, notice, source)


_CIFAR_NOISES, _IMAGENET_NOISES = (1.0, 2.0, 3.0, 5.0, 7.0, 10.5, 15.0), (0.8, 1.0, 1.5, 2.5, 4.0, 6.0)
_OURS = "The batch size is ours: the paper prints none for this panel."

FIGURES = (
    _figure(
        "003 Fig. 1e",
        _at_batch,
        MovingParameter("Batch size", (256, 1024, 4096, 16_384, 65_536), 1024, is_printed=False),
        "At so low a rate and so many steps CLT, Edgeworth and truth are one line, near to guessing. Slide the batch "
        "up: the same noise protects less, and rare guesses gain most.",
        _OURS,
    ),
    _panel(
        "003 Fig. 2, CIFAR-10",
        _CIFAR_NOISES,
        "With noise 10.5 both estimates lie on the truth. Slide the noise down to 1: from a prior of 0.0001 the CLT "
        "promises 0.37 where 0.30 is true, and order four of Edgeworth still agrees.",
    ),
    _panel(
        "003 Fig. 2, CIFAR-10, small rate",
        _CIFAR_NOISES,
        "At a sixteenth of the rate even a rare guess gains next to nothing at noise 10.5. Slide the noise down to 1: "
        "here the CLT promises too little, and is no guarantee.",
        _OURS,
    ),
    _panel(
        "003 Fig. 2, ImageNet",
        _IMAGENET_NOISES,
        "A guess that is right one time in a million is right 440 times as often with this release. Both "
        "estimates agree with the truth at the paper's noise; slide it down, and the CLT errs first.",
    ),
    _panel(
        "003 Fig. 2, ImageNet, small batch",
        _IMAGENET_NOISES,
        "Sixteen times fewer images in a batch, and the curve falls back to guessing. Slide the noise down to 0.8: the "
        "CLT then says too little of what rare guesses gain.",
        _OURS,
    ),
)
