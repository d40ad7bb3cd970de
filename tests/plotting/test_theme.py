"""The palette: told apart by everyone, readable on both pages, and the same in the app's own settings."""

import itertools
import tomllib

import numpy as np
import plotly.io as pio
import pytest

from numerics.trade_off import Bound
from plotting import theme
from tests import ROOT

CONFIG = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())
# Colour vision deficiencies at full severity as matrices on linear RGB (Machado, Oliveira and Fernandes 2009).
VISION = {
    "full": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
TO_XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
WHITE = [0.9505, 1.0, 1.089]
CLEARLY_DIFFERENT = 15.0  # CIE 1976 colour difference; 2.3 is just noticeable


def linear_rgb(color: str) -> np.ndarray:
    value = np.array([int(color[start : start + 2], 16) for start in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    dark, light = sorted(float(linear_rgb(color) @ TO_XYZ[1]) for color in (one, other))
    return (light + 0.05) / (dark + 0.05)


def lab(linear: np.ndarray) -> np.ndarray:
    ratio = np.array(TO_XYZ) @ np.clip(linear, 0, 1) / WHITE
    x, y, z = np.where(ratio > 0.008856, np.cbrt(ratio), 7.787 * ratio + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("colors", [theme.COLORS, theme.ATTACKERS], ids=["curves", "attackers"])
def test_colors_differ_for_every_vision(vision: str, colors: tuple[str, ...]) -> None:
    seen = [lab(np.array(VISION[vision]) @ linear_rgb(color)) for color in colors]
    assert min(np.linalg.norm(one - other) for one, other in itertools.combinations(seen, 2)) > CLEARLY_DIFFERENT
    people = [lab(linear_rgb(color)) for color in (theme.OUTSIDER, theme.MEMBER, theme.NEUTRAL)]
    attackers = [lab(linear_rgb(color)) for color in theme.ATTACKERS]
    assert min(np.linalg.norm(one - other) for one in people for other in attackers) > CLEARLY_DIFFERENT


def test_what_is_known_is_solid_and_each_other_kind_has_a_dash_of_its_own() -> None:
    others = [theme.DASH[bound] for bound in Bound if bound not in (Bound.EXACT, Bound.CERTIFIED)]
    assert theme.DASH[Bound.EXACT] == theme.DASH[Bound.CERTIFIED] == "solid"
    assert len({*others, "solid"}) == len(others) + 1


@pytest.mark.parametrize("page", ["light", "dark"])
def test_lines_and_text_stand_out_and_templates_use_the_colors_of_the_page(page: str) -> None:
    """Plotly's default writes 1e-5 as "10μ", next to a parameter of that name, and 1e9 as "1B"."""
    own, layout = CONFIG["theme"][page], pio.templates[theme.TEMPLATE].layout
    for color in (*theme.COLORS, *theme.ATTACKERS, theme.NEUTRAL):
        assert contrast(color, own["backgroundColor"]) > 3.0  # WCAG 2.1, 1.4.11
    assert contrast(own["textColor"], own["backgroundColor"]) > 7.0  # WCAG 2.1, 1.4.6
    assert tuple(own["chartCategoricalColors"]) == theme.COLORS == layout.colorway
    light = CONFIG["theme"]["light"]
    assert (light["textColor"], light["borderColor"], light["backgroundColor"]) == (theme.TEXT, theme.GRID, theme.PAGE)
    assert layout.xaxis.exponentformat == layout.yaxis.exponentformat == "power"


def test_settings_keep_visitors_private() -> None:
    assert CONFIG["browser"]["gatherUsageStats"] is False
    assert (CONFIG["server"]["enableXsrfProtection"], CONFIG["server"]["enableCORS"]) == (True, True)
    assert CONFIG["server"]["maxUploadSize"] == 200
    quiet = {"toolbarMode": "viewer", "showErrorDetails": "none", "showErrorLinks": False}
    assert CONFIG["client"] == {**quiet, "allowedOrigins": []}
    assert "http" not in (ROOT / ".streamlit" / "config.toml").read_text()
