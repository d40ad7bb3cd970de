"""Presets bring the size of their data, and none of another's: from Home to the attackers and the certificate."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from numerics.mechanisms import Gaussian
from numerics.trade_off import Order
from pages.ui import example_links, figure_presets
from pages.ui.certificate import form, html_file, words
from pages.ui.certificate.subject import CertificateSubject, one_of_all
from pages.ui.release_choice import ReleaseChoice
from pages.ui.release_presets import PRESETS, ReleasePreset
from pages.ui.threat_models.release import ReleaseSetting
from reports.rounding import as_entered
from tests.html import Elements
from tests.pages.rail import app_with_url
from tests.pages.visit import checked, unfold

ATTACKERS, EXPLORER = "pages/attackers/page.py", "pages/mechanism/page.py"
RECONSTRUCTION = "pages/reconstruct/page.py"
IMAGENET = next(preset for preset in PRESETS if preset.name.startswith("ImageNet"))
NOT_SET = "N is not set, d is not set"


def people(app: AppTest) -> float | None:
    """What the rail says of N."""
    found = app.session_state["records" if app.session_state["knows_rate"] else "people"]
    return None if found is None else float(found)


def explorer() -> AppTest:
    """The first page that has the rail with its presets: Home goes without until something is set."""
    return app_with_url().switch_page(EXPLORER).run()


def used(app: AppTest, name: str) -> AppTest:
    """The app after a click on a preset of the rail, or of the page that it shows."""
    app = checked(unfold(app).run())
    return checked(next(button for button in app.button if button.label == name).click().run())


def text(app: AppTest) -> str:
    return " ".join(str(block.value) for block in (*app.markdown, *app.caption))


def of_preset(preset: ReleasePreset) -> AppTest:
    """The attackers' page, reached from the explorer by this preset."""
    return checked(unfold(used(explorer(), preset.name)).switch_page(ATTACKERS).run())


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_preset_says_what_its_source_does_and_empties_the_rest(preset: ReleasePreset) -> None:
    app = used(explorer(), IMAGENET.name)  # what was there before
    app = checked(unfold(used(app, preset.name)).switch_page(ATTACKERS).run())
    state = app.session_state
    assert (people(app), state["dimension"], state["clip"]) == (preset.records, preset.dimension, preset.clip)
    if preset.records is not None and not state["knows_rate"]:
        assert state["batch"] == pytest.approx(preset.mechanism.sampling_rate * preset.records, abs=0.5)
    said = "Noise on a mean gradient" in text(app)
    assert said == (preset.records is not None and preset.clip is not None)
    if preset.mechanism.name == "Gaussian":
        assert "needs the number of people and parameters" in text(app)  # no source says d


@pytest.mark.parametrize("preset", [one for one in PRESETS if one.records is not None], ids=lambda preset: preset.name)
def test_words_of_a_training_run_have_its_sizes_and_their_source(preset: ReleasePreset) -> None:
    assert preset.source in preset.words
    assert f"of {preset.records:,} records" in preset.words
    assert "epochs" in preset.words
    assert f"δ = {as_entered(preset.delta)}" in preset.words
    assert "Not set: d" in preset.words


def test_imagenet_with_its_parameters_is_what_paper_004_says_of_it() -> None:
    app = of_preset(IMAGENET)
    assert float(app.session_state["batch"]) == pytest.approx(16_384)
    assert "71,589 steps" in text(app)
    assert "Noise on a mean gradient: 0.000153 in each coordinate." in text(app)
    app.number_input(key="dimension").set_value(1e6).run()
    (apart,) = (str(block.value) for block in app.markdown if "one who does not know the others" in str(block.value))
    found, of = re.findall(r"about \*\*([\d,]+)\*\* of ([\d,]+)", apart)[0]
    assert int(found.replace(",", "")) / int(of.replace(",", "")) <= 0.84  # the estimate; never above the guarantee
    assert people(checked(app)) == 1_281_167


def test_a_rate_that_the_records_do_not_fit_gives_no_number() -> None:
    app = (
        unfold(app_with_url(knows_rate="true", records="150", dimension="20", rate="0.01")).switch_page(ATTACKERS).run()
    )
    assert "needs whole batches: N = 150 does not fit the sampling rate 0.01" in text(checked(app))
    assert "batches of 1.5." in text(app)


def test_nothing_is_said_of_data_that_nobody_has_described() -> None:
    app = checked(unfold(app_with_url(knows_rate="true")).switch_page(ATTACKERS).run())
    assert NOT_SET in text(app)
    assert "48,000" not in text(app)


def test_addresses_restore_sizes() -> None:
    app = checked(
        unfold(app_with_url(knows_rate="true", records="1000", dimension="30", clip="3")).switch_page(ATTACKERS).run()
    )
    state = app.session_state
    assert (people(app), state["dimension"], state["clip"]) == (1000, 30, 3)
    assert "batches of 10." in text(app)


@pytest.mark.parametrize("page", [ATTACKERS, EXPLORER])
def test_the_certificate_has_the_sizes_of_the_preset(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[CertificateSubject] = []
    monkeypatch.setattr(form, "_draw_file", drawn.append)
    app = unfold(used(explorer(), IMAGENET.name)).switch_page(page).run()
    checked(app.toggle(key="certificate.open").set_value(True).run())
    setting = drawn[-1].setting
    assert (setting.records, setting.dimension, setting.clip) == (1_281_167, None, 1.0)
    facts = dict(words.parameters(drawn[-1]))
    assert facts["Size"] == "records N: 1,281,167; dimensions d: not set; clipping norm C: 1"
    assert "one of 1,281,167 records" in facts["Prior guess"]


@pytest.mark.parametrize(
    ("page", "figure", "records"),
    [
        (EXPLORER, "000 Fig. 1c", None),
        (RECONSTRUCTION, "003 Fig. 2, CIFAR-10", 50_000),
        (RECONSTRUCTION, "003 Fig. 1b", None),
        (ATTACKERS, "004 Table 3", 500),
    ],
)
def test_a_figure_leaves_no_other_data_behind(page: str, figure: str, records: int | None) -> None:
    app = unfold(used(explorer(), IMAGENET.name)).switch_page(page).run()
    app = checked(unfold(used(checked(app), figure)).switch_page(ATTACKERS).run())
    assert people(app) == records
    assert app.session_state["clip"] is None


def test_a_figure_of_an_audit_leaves_no_other_data_behind() -> None:
    app = (
        unfold(app_with_url(**{"attackers.part": "audit"}, knows_rate="true", records="1281167", clip="3"))
        .switch_page(ATTACKERS)
        .run()
    )
    app = used(checked(app), "000 Fig. 3b")
    assert (people(app), app.session_state["dimension"]) == (None, 1)


def test_a_link_to_a_figure_leaves_no_other_data_behind() -> None:
    """An example arrives on a page that draws none of the boxes; a later page must not find the old data."""
    app = unfold(used(explorer(), IMAGENET.name)).switch_page(EXPLORER)
    figure = next(one for one in figure_presets.OF_PAPER_000 if one.name == "000 Fig. 1c")
    for name, value in example_links.named(figure.name, figure.query).items():
        app.query_params[name] = value
    app = checked(app.run())
    app = checked(unfold(app).switch_page(ATTACKERS).run())
    assert people(app) is None


def test_a_certificate_prints_not_set() -> None:
    setting = ReleaseSetting(ReleaseChoice(Gaussian(1.0, 0.01, 1000), 1e-3, Order.ADD, 1e-5))
    shown = Elements(html_file.page(CertificateSubject(setting, one_of_all(None)))).text
    for said in ("records N: not set", "dimensions d: not set", "clipping norm C: not set", "κ: not set", NOT_SET):
        assert said in shown
    assert "48,000" not in shown
    assert "on average" not in shown
