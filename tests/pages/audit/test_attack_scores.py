"""Attack scores of one model on the page: the sample, a file, its slices and its records."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from losses import SAMPLES
from numerics.audits import Scores, area_under_curve, true_positive_rate
from reports import attack_scores
from tests import ROOT
from tests.pages.uploading import choose, give
from tests.pages.visit import addressed, checked, visited

SECONDS = 60
SCRIPT = f"""
import runpy
from pages.ui import rail
rail.draw()
runpy.run_path({str(ROOT / "pages/audit/page.py")!r})
"""
RNG = np.random.default_rng(1)


def page(**query: str) -> AppTest:
    app = AppTest.from_string(SCRIPT, default_timeout=SECONDS)
    app.session_state["audit.named_records"] = True
    return visited(app, addressed("audit", {"evidence": "attack scores", **query}))


def headline(app: AppTest) -> str:
    return " ".join(str(block.value) for block in app.markdown if block.value.startswith("## "))


def table(shift: float, rows: int = 3_000) -> bytes:
    """Scores of two classes: of the first members' are larger by ``shift``."""
    lines = ["score,member,class"]
    for row in range(rows):
        member, first = row % 2, (row // 2) % 2
        lines.append(
            f"{RNG.normal() + shift * member * first:.5f},{'yes' if member else 'no'},{'cats' if first else 'dogs'}"
        )
    return "\n".join(lines).encode()


@pytest.mark.parametrize(("place", "level"), [(0, "95 %"), (1, "99 %")])
def test_a_sample_is_measured_at_once_with_the_confidence_of_the_slider(place: int, level: str) -> None:
    groups = SAMPLES[place].groups()
    scores = Scores(-groups.population, -groups.train)
    app = page(scored_sample=SAMPLES[place].name, sure=level)
    rate = true_positive_rate(scores, 0.01, float(level[:2]) / 100.0)
    assert attack_scores.sentence(rate, float(level[:2]) / 100.0) in headline(app)
    assert any(f"Area under the curve {area_under_curve(scores).value:.3f}" in one.value for one in app.caption)


def test_too_few_outsiders_are_said() -> None:
    rate = true_positive_rate(Scores(np.arange(50.0), np.arange(50.0)), 0.001)
    assert rate.lower is None
    assert "takes 4,380 outsiders, and there are 50" in attack_scores.sentence(rate, 0.95)


def test_a_file_is_measured_with_its_slices_and_records() -> None:
    app = give(page(scores_from="a file"), ("scores.csv", table(8.0)))
    assert "While falsely accusing 100 of 10,000 outsiders" in headline(app)
    assert not any("slices" in block.value for block in app.markdown)
    choose(app, "Slices", "class")
    said = next(block.value for block in app.markdown if "Of 2 slices" in block.value)
    assert said.startswith(
        "**Of 2 slices, 1 surely gives members away**, with 95 % confidence for all slices together. **Most is shown "
        "of “cats”:** at least"
    )
    assert "and 1 other slice surely gives away less, with the same confidence." in said
    shown = app.dataframe[0].value
    assert list(shown["gives members away"]) == ["yes", "not shown"]
    assert list(shown["less than the most"]) == ["not shown", "yes"]
    assert any("members stand out.**" in block.value for block in app.markdown)


def test_nothing_stands_out_where_there_is_nothing() -> None:
    app = give(page(scores_from="a file"), ("scores.csv", table(0.0)))
    assert any("**0 of 1,500 members stand out.**" in block.value for block in app.markdown)


def of_models(easy: int, models: int = 20, records: int = 60) -> bytes:
    """Scores of records under models with members of their own; the first ``easy`` records give themselves away."""
    is_in = RNG.random((models, records)) < 0.5
    shift = np.where(np.arange(records) < easy, 9.0, 0.0)
    lines = ["score,member,model,record_id"]
    for model in range(models):
        scores = RNG.normal(size=records) + shift * is_in[model]
        rows = zip(scores.tolist(), is_in[model].tolist(), strict=True)
        lines += [f"{one!r},{int(own)},{model},{record}" for record, (one, own) in enumerate(rows)]
    return "\n".join(lines).encode()


def test_records_that_models_give_away_are_named() -> None:
    app = page(scores_from="a file")
    app.session_state["audit.records_of_models"] = True
    give(app, ("scores.csv", of_models(5)))
    assert "20 models" in headline(app)
    assert any("**5 of 60 records stand out over 20 models.**" in block.value for block in app.markdown)
    shown = next(one.value for one in app.dataframe if "record" in one.value)
    assert sorted(map(int, shown["record"])) == [0, 1, 2, 3, 4]
    give(app, ("few.csv", of_models(0, models=4)))
    assert any("To name a single one of 60 takes 8 models with it" in caption.value for caption in app.caption)


def test_how_many_models_give_away_how_much_is_chosen() -> None:
    app = give(page(scores_from="a file"), ("scores.csv", table(8.0).replace(b"class", b"epoch")))
    (box,) = (one for one in app.number_input if one.label == "Epochs, of 2")
    assert any(block.value.startswith("The most exposed epoch gives away at least **") for block in app.markdown)
    app = checked(box.set_value(2).run())
    assert any(block.value.startswith("Each of the 2 epochs gives away at least **") for block in app.markdown)
