"""Fig. 1a to 1d: reconstruction at one prior against the effect size, certified, estimated and drawn."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from numerics import reconstruction, shipped
from numerics.mechanisms import SampledMechanism
from numerics.reconstruction import HayesEstimate
from numerics.trade_off import Bound, Floats, Order
from pages.papers.figure import Drawing, PaperFigure, Parameter
from pages.reconstruct.presets import FIGURES as PRESETS
from pages.reconstruct.presets import ReconstructionPreset
from pages.server.shared_cache import shared_cache
from pages.ui import cached_reconstruction, release_curves
from pages.ui.catalog import RECONSTRUCT
from plotting import theme
from plotting.lines import Dots, Line, Side

_PRESETS: dict[str, ReconstructionPreset] = {preset.name: preset for preset in PRESETS}
_SHIPPED = "reconstruction_over_effects"
_POINTS, _DRAWN = 24, 8  # of a line; that are drawn at random
_ORDER = 4
_LARGE_PRIORS, _SMALL_PRIORS = (0.001, 0.01, 0.03, 0.1, 0.3), (1e-6, 1e-5, 1e-4, 1e-3)


@dataclass(frozen=True)
class _Setting:
    """A panel: the release, up to which effect size, and how many samples are drawn on arrival, if any."""

    name: str
    reach: float
    samples: int

    @property
    def is_shipped(self) -> bool:
        """Whether its ground truth takes too long on arrival."""
        return self.samples == 0


@shared_cache
def _drawn(release: SampledMechanism, samples: int, prior: float) -> HayesEstimate:
    losses = np.concatenate([chunk.losses for chunk in reconstruction.hayes(release, samples)])
    return reconstruction.hayes_estimate(losses, np.array([prior]))


def _at(release: SampledMechanism, effect: float) -> SampledMechanism:
    return release.with_noise(release.adjacency.reach / effect)


def _truth(setting: _Setting, release: SampledMechanism, prior: float) -> Line:
    """What the tool page draws of the release whose effect size is half of the figure's reach; or what is shipped."""
    if setting.is_shipped:
        rows = [row for row in shipped.rows(_SHIPPED) if float(row["prior"]) == prior]
        effect, lower, middle, upper = (
            np.array([float(row[name]) for row in rows]) for name in ("effect", "lower", "estimate", "upper")
        )
        return Line("ground truth", effect, middle, theme.MEMBER, Bound.CERTIFIED, band=(lower, upper))
    curve = release_curves.power_against_effect(_at(release, 0.5 * setting.reach), prior, Order.ADD)
    band = None if curve.bound is Bound.EXACT else (curve.lower, curve.upper)
    return Line("ground truth", curve.effect_size, curve.power, theme.MEMBER, curve.bound, band=band)


def _estimated(release: SampledMechanism, effects: Floats, prior: float) -> list[Line]:
    asked = tuple(map(float, effects))
    found = (cached_reconstruction.estimated_at_effects(release, asked, prior, order) for order in (None, _ORDER))
    looks = (("CLT", theme.COMPARED[0], "cross"), ("Edgeworth 4", theme.COMPARED[1], "square"))
    return [
        Line(name, effects, one.power, color, Bound.ESTIMATE, symbol)
        for one, (name, color, symbol) in zip(found, looks, strict=True)
    ]


def _monte_carlo(setting: _Setting, release: SampledMechanism, prior: float) -> list[Dots]:
    if not setting.samples:
        return []
    effects = np.linspace(setting.reach / _DRAWN, setting.reach, _DRAWN)
    found = [_drawn(_at(release, float(effect)), setting.samples, prior) for effect in effects]
    seen = [(effect, one) for effect, one in zip(effects, found, strict=True) if one.usable[0]]
    if not seen:
        return []
    x, y, error = (
        np.array(values)
        for values in zip(*((effect, one.success[0], one.standard_error[0]) for effect, one in seen), strict=True)
    )
    return [Dots("Monte Carlo", x, y, theme.MEASURED, error, "circle-open")]


def _panel(setting: _Setting, prior: float) -> Drawing:
    release = _PRESETS[setting.name].mechanism
    effects = np.linspace(setting.reach / _POINTS, setting.reach, _POINTS)
    lines = [_truth(setting, release, prior), *_estimated(release, effects, prior)]
    dots = _monte_carlo(setting, release, prior)
    axes = Side("Effect size", ends=(0.0, setting.reach)), Side(f"Reconstructed at κ = {prior:g}", ends=(0.0, 1.02))
    blind = Line("guessing", np.array([0.0, setting.reach]), np.array([prior, prior]), theme.NEUTRAL, None)
    middle = 0.5 * setting.reach
    values = ", ".join(f"{line.name} {np.interp(middle, line.x, line.y):.4f}" for line in lines)
    alt = f"Reconstruction of {release.label} from a prior of {prior:g}: at effect size {middle:g}, {values}."
    return Drawing.of(alt, axes, lines, dots, blind)


def _figure(setting: _Setting, priors: tuple[float, ...], notice: str, source: str, *corrections: int) -> PaperFigure:
    preset = _PRESETS[setting.name]
    drawn = f" Monte Carlo: {setting.samples:,} samples a point, drawn on arrival; the paper takes 1,000,000."
    return PaperFigure.of_preset(
        preset,
        RECONSTRUCT,
        draw=partial(_panel, setting),
        parameter=Parameter("Prior κ", priors, preset.prior),
        notice=notice,
        corrections=corrections,
        source=f"{source}{drawn if setting.samples else ''}",
    )


_UNPRINTED = "The paper prints the largest ε but not all settings of this panel; those here are ours."

FIGURES = (
    _figure(
        _Setting("003 Fig. 1a", 2.6, 50_000),
        _LARGE_PRIORS,
        "After ten steps the central limit is not reached: at large effects the CLT promises more reconstruction than "
        "there is. Four Edgeworth terms are enough, and Monte Carlo agrees within its error.",
        _UNPRINTED,
        40,
        43,
    ),
    _figure(
        _Setting("003 Fig. 1b", 0.8, 5_000),
        _LARGE_PRIORS,
        "A hundred releases of Laplace noise are nearly one of Gaussian noise: both estimates lie on the truth. Monte "
        "Carlo draws the world without the record, so where the record shows, few of its samples say anything.",
        _UNPRINTED,
        43,
    ),
    _figure(
        _Setting("003 Fig. 1c", 0.5, 5_000),
        _LARGE_PRIORS,
        "For Gaussian noise on every record the truth is a formula, and both estimates lie on it. The root in it is of "
        "the number of steps alone; as printed, it has the effect size under it, too.",
        _UNPRINTED,
        38,
    ),
    _figure(
        _Setting("003 Fig. 1d", 8.0, 0),
        _SMALL_PRIORS,
        "At κ = 10⁻⁶ and a rate of 0.001 the CLT leaps from nothing to all, while the truth rises slowly. Edgeworth of "
        "order four is nearer, and too high in the middle: no estimate is a bound.",
        f"{_UNPRINTED} Monte Carlo cannot be used here: of 1,000,000 samples one is kept. The ground truth is shipped: "
        "data/reconstruction_over_effects.csv, which data/make_reconstruction_over_effects.py writes.",
        39,
        43,
    ),
)
