"""The palette: told apart by everyone, readable on both pages, and the same in the app's own settings."""

import itertools
import tomllib
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
import pytest

from numerics.trade_off import Bound, Bracket, TradeOffCurve
from pages.home import doors
from plotting import theme
from plotting.curves import Axes, Compared, EstimatedCurve, OfAttacker, OperatingPoint
from plotting.limit import LimitRegion
from plotting.power import PowerCurve, power_figure
from plotting.profile import ProfileCurve, profile_figure
from plotting.reconstruction import reconstruction_figure
from plotting.trade_off import trade_off_figure
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
GRAPHICS_CONTRAST = 3.0  # WCAG 2.1, 1.4.11
TEXT_CONTRAST = 7.0  # WCAG 2.1, 1.4.6
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
def test_colors_differ_for_every_vision(vision: str) -> None:
    seen = [lab(np.array(VISION[vision]) @ linear_rgb(color)) for color in theme.COLORS]
    assert min(np.linalg.norm(one - other) for one, other in itertools.combinations(seen, 2)) > CLEARLY_DIFFERENT


@pytest.mark.parametrize("vision", VISION)
def test_attackers_differ_for_every_vision(vision: str) -> None:
    seen = [lab(np.array(VISION[vision]) @ linear_rgb(color)) for color in theme.ATTACKERS]
    assert min(np.linalg.norm(one - other) for one, other in itertools.combinations(seen, 2)) > CLEARLY_DIFFERENT


def test_an_attacker_is_neither_an_outsider_nor_a_member() -> None:
    taken = [lab(linear_rgb(color)) for color in (theme.OUTSIDER, theme.MEMBER, theme.NEUTRAL)]
    for color in theme.ATTACKERS:
        assert min(np.linalg.norm(lab(linear_rgb(color)) - other) for other in taken) > CLEARLY_DIFFERENT


def test_what_is_compared_is_neither_people_nor_an_attacker() -> None:
    assert not set(theme.COMPARED) & {theme.OUTSIDER, theme.MEMBER, *theme.ATTACKERS}
    assert [theme.compared(place) for place in (0, 1, 2, -1)] == [*theme.COMPARED, *theme.COMPARED]


def figures() -> dict[str, go.Figure]:
    """Figures of a release with an attacker, a pinned release and an estimate beside it."""
    rates = np.geomspace(1e-4, 1.0, 20)
    own, unknown, pinned = (
        TradeOffCurve(rates, 1.0 - rates**a, rates**a, Bound.EXACT, str(a)) for a in (0.5, 0.8, 0.6)
    )
    guess = EstimatedCurve(replace(own, bound=Bound.ESTIMATE, label="guess"))
    at = OperatingPoint(1e-3, Bracket.exact(0.03))
    beside: list[Compared] = [OfAttacker(unknown, theme.RECORD_UNKNOWN), pinned]
    found = [PowerCurve(rates, rates, rates, rates, 1e-3, Bound.EXACT, str(k)) for k in range(3)]
    profile = ProfileCurve(rates, rates, rates, rates, Bound.EXACT)
    return {
        "trade-off": trade_off_figure(
            own, at, Axes.LOG, pinned=beside, estimates=[guess], limit=LimitRegion(0.01, 10_000)
        ),
        "certificate": trade_off_figure(OfAttacker(own, theme.KNOWS_ALL), at, Axes.LOG, pinned=beside[:1]),
        "reconstruction": reconstruction_figure(own, at, others=beside, estimates=[guess]),
        "power": power_figure(found[0], 0.1, 0.1, [found[1]], estimates=[found[2]]),
        "profile": profile_figure(profile, 1e-3, "0.001", Bracket.exact(0.1)),
    }


@pytest.mark.parametrize("name", figures())
def test_a_color_means_one_thing_in_figures_of_a_release(name: str) -> None:
    """Blue is outsiders' alone, and who does not know the record has its own colour whatever it stands beside."""
    drawn = figures()[name]
    data: list[Any] = list(drawn.data)
    lines = [trace.line.color for trace in data if "lines" in (trace.mode or "") and trace.line.width]
    own = theme.KNOWS_ALL if name == "certificate" else theme.MEMBER
    assert own in lines
    assert (theme.RECORD_UNKNOWN in lines) == (name != "profile")
    assert set(lines) <= {own, theme.RECORD_UNKNOWN, *theme.COMPARED, theme.NEUTRAL}
    assert theme.OUTSIDER not in str(drawn.to_plotly_json()["data"])


def test_pictures_of_the_pages_have_the_colors_of_the_figures() -> None:
    door = doors.DOORS[1].picture()
    assert [door.index(color) for color in theme.ATTACKERS] == sorted(door.index(color) for color in theme.ATTACKERS)
    for picture in (door, doors.DOORS[3].picture()):
        assert theme.OUTSIDER not in picture
        assert theme.MEMBER not in picture


@pytest.mark.parametrize("page", ["light", "dark"])
def test_lines_and_text_stand_out_from_the_page(page: str) -> None:
    background = CONFIG["theme"][page]["backgroundColor"]
    assert all(
        contrast(color, background) > GRAPHICS_CONTRAST for color in (*theme.COLORS, *theme.ATTACKERS, theme.NEUTRAL)
    )
    assert contrast(CONFIG["theme"][page]["textColor"], background) > TEXT_CONTRAST


@pytest.mark.parametrize("name", [theme.LIGHT, theme.DARK])
def test_small_numbers_of_axes_are_powers_of_ten(name: str) -> None:
    """Plotly's default writes 1e-5 as "10μ", next to a parameter of that name, and 1e9 as "1B"."""
    layout = pio.templates[name].layout
    assert layout.xaxis.exponentformat == layout.yaxis.exponentformat == "power"


@pytest.mark.parametrize("page", ["light", "dark"])
def test_templates_use_the_colors_of_the_page(page: str) -> None:
    settings = CONFIG["theme"][page]
    layout = pio.templates[theme.template(dark=page == "dark")].layout
    assert layout.font.color == settings["textColor"]
    assert layout.xaxis.gridcolor == settings["borderColor"]
    assert layout.hoverlabel.bgcolor == settings["backgroundColor"]
    assert tuple(settings["chartCategoricalColors"]) == theme.COLORS == layout.colorway


def test_estimates_and_guarantees_never_share_a_dash() -> None:
    assert set(theme.DASH) == set(Bound)
    assert theme.DASH[Bound.EXACT] == theme.DASH[Bound.CERTIFIED] == "solid"
    others = [theme.DASH[bound] for bound in Bound if bound not in (Bound.EXACT, Bound.CERTIFIED)]
    assert len(set(others)) == len(others)
    assert "solid" not in others


def test_shade_keeps_the_color() -> None:
    assert theme.shade("#0077bb", 0.25) == "rgba(0,119,187,0.25)"


def test_settings_keep_visitors_private() -> None:
    assert CONFIG["browser"]["gatherUsageStats"] is False
    assert CONFIG["server"]["enableXsrfProtection"] is True
    assert CONFIG["server"]["enableCORS"] is True
    assert CONFIG["server"]["maxUploadSize"] == 200
    quiet = {"toolbarMode": "viewer", "showErrorDetails": "none", "showErrorLinks": False}
    assert CONFIG["client"] == {**quiet, "allowedOrigins": []}
    assert "http" not in (ROOT / ".streamlit" / "config.toml").read_text()
