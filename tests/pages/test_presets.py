"""Presets bring the release and the size of their data, and none of another's; a switch says it in other words."""

import re

import pytest

from numerics.mechanisms import Adjacency, Gaussian
from numerics.trade_off import Order
from pages.ui import example_links, figure_presets, tour
from pages.ui.certificate import html_file, words
from pages.ui.certificate.subject import CertificateSubject, one_of_all
from pages.ui.release_choice import ReleaseChoice
from pages.ui.release_presets import PRESETS, ReleasePreset
from pages.ui.threat_models.release import ReleaseSetting
from reports.rounding import as_entered
from tests import ROOT
from tests.html import Elements
from tests.pages.driver import control, text, visit
from tests.pages.rail import rail
from tests.pages.visit import checked, unfold

NAMED = pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
SIZED = [preset for preset in PRESETS if preset.records is not None]


@NAMED
def test_a_preset_sets_every_control_and_empties_the_rest(preset: ReleasePreset) -> None:
    app = rail(
        noise="3.21", phases="2", adjacency="replace-one", mechanism="Laplace", clip="3", dimension="9", people="77"
    )
    checked(control(app, preset.name).click().run())
    assert app.session_state["result"] == ReleaseChoice(
        preset.mechanism, 1e-3, Order.ADD, preset.delta, 0.002, preset.records, preset.dimension, preset.clip
    )
    assert app.session_state["knows_rate"] == (preset.records is None)


@pytest.mark.parametrize("preset", SIZED, ids=lambda preset: preset.name)
def test_the_switch_says_the_same_release_in_other_words(preset: ReleasePreset) -> None:
    app = rail()
    control(app, preset.name).click().run()
    before = app.session_state["result"]
    for knows_rate in (True, False):
        checked(app.toggle(key="knows_rate").set_value(knows_rate).run())
        assert app.session_state["result"] == before
        assert {"people", "rate"} & {box.key for box in app.number_input} == {"rate" if knows_rate else "people"}
    assert not app.toast


@pytest.mark.parametrize("mechanism", ["Exponential mechanism", "Randomised response"])
def test_the_switch_keeps_the_steps_of_a_release_that_is_not_sampled(mechanism: str) -> None:
    app = rail(mechanism=mechanism, epochs="3")
    before = app.session_state["result"]
    for knows_rate in (True, False):
        checked(app.toggle(key="knows_rate").set_value(knows_rate).run())
        assert app.session_state["result"] == before


@pytest.mark.parametrize("preset", SIZED, ids=lambda preset: preset.name)
def test_words_of_a_training_run_have_its_sizes_and_their_source(preset: ReleasePreset) -> None:
    for said in (preset.source, f"of {preset.records:,} records", "epochs", f"δ = {as_entered(preset.delta)}"):
        assert said in preset.words
    assert "Not set: d" in preset.words


def test_the_app_opens_with_the_first_preset() -> None:
    assert rail().session_state["result"].mechanism == PRESETS[0].mechanism
    assert rail().session_state["result"].mechanism.adjacency is Adjacency.ADD_REMOVE


def test_imagenet_with_its_parameters_is_what_paper_004_says_of_it() -> None:
    app = checked(control(visit("mechanism", folds_open=True), "ImageNet DP-SGD").click().run())
    app = checked(unfold(app).switch_page("pages/attackers/page.py").run())
    assert "71,589 steps" in text(app)
    assert "Noise on a mean gradient: 0.000153 in each coordinate." in text(app)
    checked(app.number_input(key="dimension").set_value(1e6).run())
    (apart,) = (str(block.value) for block in app.markdown if "one who does not know the others" in str(block.value))
    found, of = re.findall(r"about \*\*([\d,]+)\*\* of ([\d,]+)", apart)[0]
    assert int(found.replace(",", "")) / int(of.replace(",", "")) <= 0.84  # the estimate; never above the guarantee


def test_the_certificate_of_a_preset_has_its_sizes_and_says_what_is_not_set() -> None:
    preset = next(one for one in PRESETS if one.name.startswith("ImageNet"))
    choice = ReleaseChoice(preset.mechanism, 1e-3, Order.ADD, preset.delta, records=preset.records, clip=preset.clip)
    facts = dict(words.parameters(CertificateSubject(ReleaseSetting(choice), one_of_all(preset.records))))
    assert facts["Size"] == "records N: 1,281,167; dimensions d: not set; clipping norm C: 1"
    assert "one of 1,281,167 records" in facts["Prior guess"]
    bare = ReleaseSetting(ReleaseChoice(Gaussian(1.0, 0.01, 1000), 1e-3, Order.ADD, 1e-5))
    shown = Elements(html_file.page(CertificateSubject(bare, one_of_all(None)))).text
    for said in ("records N: not set", "dimensions d: not set", "clipping norm C: not set", "κ: not set"):
        assert said in shown
    assert "48,000" not in shown
    assert "on average" not in shown


def test_a_link_to_a_figure_leaves_no_other_data_behind() -> None:
    """An example arrives on a page that draws none of the boxes; a later page must not find the old data."""
    app = unfold(visit("")).switch_page("pages/mechanism/page.py").run()
    app = checked(control(app, "ImageNet DP-SGD").click().run())
    app = unfold(app).switch_page("pages/mechanism/page.py")
    app.query_params.clear()  # a link's address alone is in the browser
    figure = next(one for one in figure_presets.OF_PAPER_000 if one.name == "000 Fig. 1c")
    for name, value in example_links.named(figure.name, figure.query).items():
        app.query_params[name] = value
    app = checked(app.run())
    app = checked(unfold(app).switch_page("pages/attackers/page.py").run())
    state = app.session_state
    assert state["records" if state["knows_rate"] else "people"] is None
    assert state["clip"] is None


def test_there_are_five_steps_of_a_tour_on_pages_that_exist() -> None:
    assert len(tour.STEPS) == 5
    assert all((ROOT / one.page.script).is_file() for one in tour.STEPS)
