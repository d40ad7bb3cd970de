"""The page that measures a trained model: what it says, what it keeps, what it refuses, and its addresses."""

import io
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from losses import SAMPLES, read_table, split
from numerics.epsilon_star import EMPIRICAL_CLIP, Method, ascending, estimate, lower_bound
from numerics.epsilon_star.audit_caveats import Caveat
from numerics.epsilon_star.confidence import Ascending
from numerics.epsilon_star.error_ratios import Term
from numerics.epsilon_star.loss_summary import summarise
from pages.measuring import audits, figures, resampled, words
from pages.measuring.audits import Audit, Clip, Options
from pages.measuring.source import Kind, Source
from pages.shared import export
from pages.shared.frequencies import rounded_up
from pages.shared.uploads import literal
from tests.page_visit import visited

ROOT = Path(__file__).parents[1]
PAGE = "pages/epsilon_star.py"
SECONDS = 60  # the first run imports Plotly on a busy machine
PRINTED = 1e-12  # numbers are printed with all digits

# Public formats: names in the URL, and values that are left out of it because they are the defaults.
DEFAULTS: dict[str, object] = {
    "source": "a sample",
    "sample": "digits, overfitted",
    "method": "parametric",
    "clip_parametric": "exact",
    "audit_delta": None,
    "axes": "log-log",
}
RNG = np.random.default_rng(1)
ROWS = [*((loss, "train") for loss in RNG.gamma(2, 1, 60)), *((loss, "test") for loss in RNG.gamma(3, 1, 50))]


def table(header: str = "loss,split", delimiter: str = ",") -> bytes:
    lines = [header, *(f"{loss:.6f},{label}" for loss, label in ROWS)]
    return "\n".join(lines).replace(",", delimiter).encode()


def page(**query: str) -> AppTest:
    """The page as a visitor of ``/epsilon-star?query`` gets it."""
    script = f"import runpy\nrunpy.run_path({str(ROOT / PAGE)!r})\n"
    return checked(visited(AppTest.from_string(script, default_timeout=SECONDS), query))


def checked(app: AppTest) -> AppTest:
    assert not app.exception
    assert not app.warning
    return app


def give(app: AppTest, data: bytes, name: str = "losses.csv", place: int = 0) -> AppTest:
    """Upload a file to the page's ``place``-th uploader."""
    app.file_uploader[place].set_value((name, data, "text/csv"))
    return checked(app.run())


def headline(app: AppTest) -> str:
    return " ".join(str(block.value) for block in app.markdown if block.value.startswith(("## ", "### ")))


def errors(app: AppTest) -> str:
    """Messages as they are read: without the escapes."""
    return " ".join(re.sub(r"\\(.)|\u2060", r"\1", str(error.value)) for error in app.error)


def choice(app: AppTest, label: str) -> object:
    (found,) = (box for box in app.selectbox if box.label == label)
    return found


def test_a_sample_is_shown_at_once() -> None:
    app = page()
    expected = estimate(*samples_losses(0))
    assert f"**ε\\* is {expected.value:.4g}:**" in headline(app)
    assert app.metric[1].label == "ε* (audit estimate)"
    assert app.metric[1].value == f"{expected.value:.4g}"
    assert any("no lower bound" in caption.value for caption in app.caption)
    assert not app.error


def samples_losses(index: int) -> tuple[np.ndarray, np.ndarray]:
    groups = SAMPLES[index].groups()
    return groups.train, groups.population


def test_keys_and_defaults_of_the_url_are_pinned() -> None:
    state = page().session_state
    assert {key: state[key] for key in DEFAULTS} == DEFAULTS
    assert page(method="empirical").session_state["clip_empirical"] == "paper's clip"
    assert [list(Kind), list(Clip), list(audits.METHODS)] == [
        ["a sample", "one file", "two files", "predictions", "several models"],
        ["exact", "paper's clip"],
        ["parametric", "empirical", "Gaussian mixtures"],
    ]
    assert [sample.name for sample in SAMPLES] == ["digits, overfitted", "digits, regularised"]


def test_the_lower_bound_comes_first_and_holds_at_its_level() -> None:
    groups = SAMPLES[0].groups()
    for level in audits.LEVELS:
        app = page(level=audits.percent(level))
        bound = estimate(groups.train, groups.population, method=Method.CONFIDENCE, level=level)
        assert f"With {audits.percent(level)} confidence" in headline(app)
        assert 0.0 <= bound.value - float(app.metric[0].value) <= 0.01 * bound.value
        assert str(app.metric[0].label) == f"ε* at least ({audits.percent(level)})"


def test_nothing_shown_is_said() -> None:
    rng = np.random.default_rng(5)
    audit = audit_of(Method.PARAMETRIC, None, rng.normal(size=100), rng.normal(size=100), 1e-3)
    assert audit.bound.value == 0.0
    assert "at least 0" in words.bound_sentence(audit)
    assert f"up to {rounded_up(audit.bound.attainable)}" in words.bound_sentence(audit)


def test_mixtures_by_hand() -> None:
    app = page(method="Gaussian mixtures", components="by hand", components_exact="2")
    expected = estimate(*samples_losses(0), method=Method.MIXTURE, components=2)
    assert app.metric[1].value == f"{expected.value:.4g}"
    assert len(app.get("plotly_chart")) == 2


def test_resampling_runs_to_its_table() -> None:
    app = page(about="bootstrap", sample="digits, regularised")
    (start,) = (button for button in app.button if button.label == "Start")
    start.click().run()
    while resampled.BENCH.running_key in app.session_state:
        app.run()
    assert not app.exception
    found = next(table.value for table in app.table if "replicates" in table.value)
    assert list(found["replicates"]) == ["1,000", "1,000"]
    low, high = (float(number) for number in found["middle 95 %"][0].split(" to "))
    assert low < float(app.metric[1].value) < high


def test_url_restores_a_view() -> None:
    app = page(sample="digits, regularised", method="empirical", audit_delta="0.001")
    expected = estimate(*samples_losses(1), 0.001, Method.EMPIRICAL, EMPIRICAL_CLIP)
    assert f"{expected.value:.4g}" in headline(app)
    assert app.metric[2].value == "0.001"


@pytest.mark.parametrize("key", [*DEFAULTS, "clip_empirical"])
@pytest.mark.parametrize("nonsense", ["nan", "-1", "1e999", "<b>", "", "١"])
def test_nonsense_in_the_url_is_harmless(key: str, nonsense: str) -> None:
    app = page(**{key: nonsense})
    assert headline(app) or "delta must be strictly between 0 and 1" in errors(app)


@pytest.mark.parametrize("delta", ["0", "1", "-0.5", "2"])
@pytest.mark.parametrize("clip", ["exact", "paper's clip"])
def test_impossible_delta_is_named(delta: str, clip: str) -> None:
    app = page(audit_delta=delta, clip_parametric=clip)
    assert "No estimate: delta must be strictly between 0 and 1" in errors(app).replace("*", "")


def test_infinite_by_counting_is_said() -> None:
    app = page(method="empirical", clip_empirical="exact")
    assert "ε\\* is infinite" in headline(app)
    assert app.metric[1].value == "∞"


def test_one_file() -> None:
    app = give(page(source="one file"), table())
    groups = split(read_table(table()), "loss", "split", "train")
    assert f"{estimate(groups.train, groups.population).value:.4g}" in headline(app)
    assert app.metric[6].value == "60 / 50"


def test_two_files() -> None:
    app = page(source="two files")
    train, fresh = ([f"{loss:.6f}" for loss, label in ROWS if label == group] for group in ("train", "test"))
    app = give(app, "\n".join(["loss", *train]).encode())
    assert not headline(app)
    app = give(app, "\n".join(["loss", *fresh]).encode(), place=1)
    assert headline(app) == headline(give(page(source="one file"), table()))


def test_columns_are_corrected_by_hand() -> None:
    rows = [f"{loss:.5f},{2 * loss + (label == 'test'):.5f},{label}" for loss, label in ROWS]
    app = give(page(source="one file"), "\n".join(["loss,other,split", *rows]).encode())
    first = headline(app)
    choice(app, "Losses").select("other")  # type: ignore[attr-defined]
    other = headline(checked(app.run()))
    assert other != first
    choice(app, "Losses").select("loss")  # type: ignore[attr-defined]
    assert headline(checked(app.run())) == first


def test_a_membership_that_is_not_clear_is_asked_for() -> None:
    app = give(page(source="one file"), table("loss,label"))
    assert not headline(app)
    assert "which column and which label mark the members" in app.info[0].value
    choice(app, "Membership").select("label")  # type: ignore[attr-defined]
    assert headline(checked(app.run()))


def test_label_of_members_is_asked_for_where_words_do_not_tell() -> None:
    app = give(page(source="one file"), table().replace(b"train", b"a").replace(b"test", b"b"))
    assert not headline(app)
    choice(app, "Members are").select("a")  # type: ignore[attr-defined]
    assert headline(checked(app.run())) == headline(give(page(source="one file"), table()))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "The file is empty. Choose a file with a row for every record."),
        (b"loss,split\n", "The file has a header and no rows below it."),
        (b"PK\x03\x04 not a table", "an Excel workbook"),
        (b"loss\n" + b"0.5\n1.5\n" * 20, "The file has no column that tells members from outsiders."),
        (table().replace(b"test", b"train"), "One group is missing"),
        (table() + b"\nx,train", "Row 111: “x”. Mend them, or leave out the rows that cannot be used."),
        (b"loss,split\n" + b"0.5,train\n0.5,test\n" * 20, "No estimate: losses must differ, but all of them are 0.5."),
    ],
)
def test_bad_files_say_what_is_wrong_and_what_to_do(data: bytes, message: str) -> None:
    app = give(page(source="one file"), data)
    assert message in errors(app).replace("*", "")
    assert not headline(app)


def test_unusable_rows_are_left_out_on_request() -> None:
    app = give(page(source="one file"), table() + b"\nx,train")
    app.checkbox[0].check()
    checked(app.run())
    assert headline(app) == headline(give(page(source="one file"), table()))
    assert any("1 rows that cannot be used were left out" in caption.value for caption in app.caption)


def test_results_are_kept_by_file_and_options() -> None:
    app = give(page(source="one file"), table())
    kept = app.session_state["audits"]
    (first,) = kept.values()
    app.run()
    assert list(app.session_state["audits"].values()) == [first]
    app.segmented_control(key="method").set_value("empirical").run()
    app.segmented_control(key="method").set_value("parametric").run()
    assert len(app.session_state["audits"]) == 2
    assert first in app.session_state["audits"].values()
    assert {source[0] for source, _ in kept} == {"one"}


def test_the_results_kept_are_bounded() -> None:
    app = page()
    for delta in range(1, 16):
        app.number_input(key="audit_delta").set_value(delta / 100).run()
    assert len(app.session_state["audits"]) == 12


def test_every_page_without_its_files_says_what_it_needs() -> None:
    for source in ("one file", "two files"):
        app = page(source=source)
        assert any("Upload the model's losses" in block.value for block in app.markdown)


HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "**bold** _it_ `code`",
    ":red[x] :smile: :material/home:",
    "$x^2$",
    "[a](b)",
    "a\u202eb",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_strangers_text_stays_text(text: str) -> None:
    shown = literal(text)
    assert "\u202e" not in shown
    assert not re.search(r"(?<!\\)[*_`<>$\[\]]", shown)
    assert not re.search(r":(?!\u2060)", shown)
    assert re.sub(r"\\(.)|\u2060", r"\1", shown) == text.replace("\u202e", "")


def test_hostile_names_of_files_and_columns_are_shown_as_text() -> None:
    app = give(page(source="one file"), table("loss <b>,**split**"), name="<script>$x$.csv")
    assert headline(app)
    captions = " ".join(caption.value for caption in app.caption)
    assert "\\<script\\>\\$x\\$\\.csv" in captions


def audit_of(method: Method, clip: float | None, train: np.ndarray, fresh: np.ndarray, delta: float) -> Audit:
    options = Options(method, Clip.NONE if clip is None else Clip.PAPER, delta, 0.95, 2)
    result = estimate(train, fresh, delta, method, clip, components=options.components)
    assert result.evidence is not None
    bound = lower_bound(Ascending(ascending(train)), Ascending(ascending(fresh)), delta, options.level)
    return Audit(result, bound, summarise(train, fresh, result.evidence, result.laws), 0, 0.1, options)


def audits_of_all_kinds() -> list[Audit]:
    rng = np.random.default_rng(2)
    train, fresh = rng.normal(0, 1, 200), rng.normal(1, 1.4, 200)
    cases = [
        audit_of(Method.PARAMETRIC, None, train, fresh, 1e-5),
        audit_of(Method.PARAMETRIC, 1e-5, fresh, train, 1e-5),
        audit_of(Method.EMPIRICAL, EMPIRICAL_CLIP, train, fresh, 0.1),
        audit_of(Method.EMPIRICAL, None, train, train + 100.0, 1e-5),
        audit_of(Method.EMPIRICAL, EMPIRICAL_CLIP, train, train, 1e-5),
    ]
    return [*cases, audit_of(Method.PARAMETRIC, None, -train, -fresh, 1e-5)]


def test_every_caveat_has_words() -> None:
    found = audits_of_all_kinds()
    assert {caveat for audit in found for caveat in audit.result.caveats} == set(Caveat)
    for audit in found:
        assert len(words.warnings(audit)) == len(audit.result.caveats)
        assert all("None" not in line and "nan" not in line for line in words.warnings(audit))


def test_sentence_speaks_of_whom_the_attack_names() -> None:
    for audit in audits_of_all_kinds():
        accuses = audit.result.peaks[0].term in (Term.MEMBERS_BELOW, Term.MEMBERS_ABOVE)
        assert ("accusing" in words.sentence(audit)) == accuses


def test_every_ratio_is_oriented() -> None:
    assert set(words.ORIENTATION) == set(words.QUOTIENT) == set(Term)


def sample_source(index: int = 0) -> Source:
    sample = SAMPLES[index]
    line = f'groups = split(read_table(open("data/{sample.file}", "rb").read()), "loss", "member", "1")'
    python = f"from losses import read_table, split\n\n{line}"
    return Source(("sample", sample.name), sample.name, sample.groups, python)


@pytest.mark.parametrize("method", audits.METHODS)
def test_the_snippet_prints_the_number_on_the_page(
    method: Method, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    audit = audit_of(method, EMPIRICAL_CLIP, *samples_losses(0), 1e-4)
    code = figures.snippet(sample_source(), audit).replace("open(", "__import__('pathlib').Path(")
    exec(code.replace(', "rb").read()', ").read_bytes()"), {})  # an open file would warn
    first, second = capsys.readouterr().out.splitlines()[:2]
    assert float(first.removeprefix("epsilon*: ")) == pytest.approx(audit.result.value, rel=PRINTED)
    assert float(second.removeprefix("at least: ")) == pytest.approx(audit.bound.value, rel=PRINTED)


def test_exports_say_what_they_are() -> None:
    audit = audit_of(Method.PARAMETRIC, None, *samples_losses(0), 1e-4)
    header = figures.settings(sample_source(), audit)
    assert header["epsilon*"] == repr(audit.result.value)
    assert "no lower bound" in header["kind"]
    assert all(caveat.value in header["caveats"] for caveat in audit.result.caveats)
    assert header["delta"] == "0.0001"


def test_uploads_of_the_page_never_meet_a_shared_cache() -> None:
    for module in (audits, figures):
        assert "lru_cache" not in Path(str(module.__file__)).read_text()


def test_both_figures_have_their_data() -> None:
    audit = audit_of(Method.PARAMETRIC, None, *samples_losses(0), 1e-4)
    header = figures.settings(sample_source(), audit)
    densities = pd.read_csv(io.StringIO(figures.densities_table(audit, header)), comment="#")
    np.testing.assert_array_equal(densities["density of training data"], audit.summary.train.density)
    errors = pd.read_csv(io.StringIO(export.curves_table(figures.curves(audit), header)), comment="#")
    assert list(errors["release"].unique()) == [curve.label for curve in figures.curves(audit)]
