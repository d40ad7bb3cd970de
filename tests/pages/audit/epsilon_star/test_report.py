"""The report: it says every number, holds no stranger's markup, needs no network, and agrees with the JSON."""

import json
import re
from dataclasses import replace
from functools import cache
from hashlib import sha256

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from losses import SAMPLES, Groups
from numerics.epsilon_star import EMPIRICAL_CLIP, EpsilonStar, LossScale, Method, default_delta
from numerics.trade_off import Floats
from pages.audit.epsilon_star import audits, figures
from pages.audit.epsilon_star.audits import EpsilonStarAudit
from pages.audit.epsilon_star.loss_units import Unit
from pages.audit.epsilon_star.options import Clip, Options
from pages.audit.epsilon_star.report import fit_tests, report
from pages.audit.epsilon_star.source import LossSource
from pages.ui.numbers_in_words import rounded_down, rounded_up
from reports import html_file, json_file
from reports.audit_report import Auditor
from reports.losses_words import ASSUMPTIONS, ORIENTATION
from tests import ROOT
from tests.html import Elements
from tests.pages.uploading import give

RNG = np.random.default_rng(3)
TRAIN, FRESH = (np.sort(RNG.gamma(shape, 1.0, 600)) for shape in (2.0, 3.0))


def source_of(name: str = "losses.csv", train: Floats = TRAIN, fresh: Floats = FRESH) -> LossSource:
    line = f"groups = split(read_table(open({name!r}, 'rb').read()), 'loss', 'member', '1')"
    python = f"from losses import read_table, split\n\n{line}"
    files = ((name, sha256(b"x").hexdigest()),)
    return LossSource(("one", "digest"), name, lambda: Groups(train, fresh), python, files=files)


@cache
def audit_of(
    method: Method = Method.PARAMETRIC, delta: float | None = None, clip: float | None = None
) -> EpsilonStarAudit:
    options = Options(method, Clip.NONE if clip is None else Clip.PAPER, delta, scale=LossScale.NATS)
    return audits.of_groups(Groups(TRAIN, FRESH, 7), options)


def estimated(audit: EpsilonStarAudit) -> EpsilonStar:
    assert audit.estimated is not None
    return audit.estimated


def page(name: str = "losses.csv", audit: EpsilonStarAudit | None = None) -> str:
    return html_file.page(report(source_of(name), audit, None)) if audit else plain_page(name)


@cache
def plain_page(name: str) -> str:
    """As it is handed in: with figures, and what an auditor wrote."""
    audit = audit_of()
    pictures = tuple(drawn.picture for drawn in figures.drawn(audit))
    made = report(source_of(name), audit, None)
    return html_file.page(replace(made, pictures=pictures, auditor=Auditor(name, "why", "note")))


HOSTILE = [
    "<img src=x onerror=alert(1)>.csv",
    "<script>alert(1)</script>",
    "</title></pre><h1>",
    "\"quoted\" 'both' & &amp;",
    "a\u202egpj.csv\u2066\u200f",
    "**bold** \\*",
    "losses\x00\x1b[31m.csv",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_strangers_text_stays_text(name: str) -> None:
    plain, hostile = Elements(page()), Elements(page(name))
    assert hostile.seen == plain.seen
    assert [attribute for attribute, _ in hostile.attributes] == [attribute for attribute, _ in plain.attributes]
    kept = re.sub(r"[\x00-\x1f\u200f\u202e\u2066]", "", name)
    assert hostile.text.count(kept) >= 3  # the title, the first line and the files; the snippet's repr may differ
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u200e\u200f\u202a-\u202e\u2066-\u2069]", page(name))


def test_report_needs_no_network_and_no_script() -> None:
    found = Elements(page())
    assert not {"script", "img", "link", "iframe", "object", "base", "form"} & set(found.seen)
    names = {name for name, _ in found.attributes}
    assert not {"src", "srcset", "action"} & names
    assert not any(name.startswith("on") for name in names)
    own = {value for name, value in found.attributes if name == "id"}
    assert {value for name, value in found.attributes if name == "href"} <= {f"#{name}" for name in own}  # letters
    assert not re.search(r"url\((?!#)|@import", page())
    assert "default-src 'none'" in page()
    assert "@media print" in page()


def test_report_says_what_an_auditor_must_know() -> None:
    audit = audit_of()
    text = Elements(html_file.page(report(source_of(), audit, (0.5, 1.25)))).text
    expected = [
        f"Estimate (parametric): {estimated(audit).value:.4g} says nothing about these losses. Because",
        "it rests on tails without data",
        f"with 95 % confidence ε* is at least {rounded_down(audit.bound.value)}",
        f"{rounded_down(audit.bound.value, 4)}, with confidence 95 %",
        "the losses are independent",
        f"can show at most {rounded_up(audit.bound.attainable)}",
        "parametric; scale of the fit: cross-entropy in nats; no clip",
        "the rule 1 / (n log n)",
        "600 losses",
        "Bootstrap interval (middle 95 %): 0.5 to 1.25",
        "who was a member was shuffled 199 times",
        "held-out losses",
        sha256(b"x").hexdigest(),
        "privacy trade-offs",
        "from numerics.epsilon_star import",
        "not rejected" if fit_tests(source_of(), audit)[0].p_values[-1][1] >= 0.05 else "is rejected",
        *ORIENTATION.values(),
        *ASSUMPTIONS,
    ]
    assert [words for words in expected if words not in text] == []
    assert re.search(r"20\d\d-\d\d-\d\d \d\d:\d\d UTC", text)


def test_report_holds_no_losses_but_the_few_it_names() -> None:
    html = page()
    shown = [loss for loss in TRAIN if f"{loss:.9g}" in html]
    assert len(shown) <= 1


def test_what_was_not_run_is_said() -> None:
    text = Elements(page()).text
    assert "The bootstrap was not run" in text


@pytest.mark.parametrize(
    ("method", "clip", "words"),
    [
        (Method.EMPIRICAL, EMPIRICAL_CLIP, "rests on no fitted law"),
        (Method.EMPIRICAL, None, "infinite"),
        (Method.MIXTURE, None, "held-out losses"),
    ],
)
def test_every_method_has_a_report(method: Method, clip: float | None, words: str) -> None:
    audit = audit_of(method, clip=clip)
    text = Elements(page(audit=audit)).text
    assert words in text
    assert not re.search(r"\bnan\b|None of|\binf\b", text)
    assert "no lower bound" in text


def test_delta_by_hand_is_called_that() -> None:
    assert "0.01 (chosen by hand)" in page(audit=audit_of(delta=0.01))
    assert "chosen by hand" not in page(audit=audit_of(delta=default_delta(len(TRAIN))))


def test_the_bound_comes_first_and_the_estimate_is_called_one() -> None:
    text = Elements(page()).text
    assert text.index("ε* is at least") < text.index("Estimate (parametric):")


def test_what_the_bound_rests_on_names_what_must_be_chosen_before() -> None:
    assert "chosen before the losses were looked at" in page()


def test_samples_name_their_file_by_its_digest() -> None:
    for sample in SAMPLES:
        assert sample.digest == sha256((ROOT / "data" / sample.file).read_bytes()).hexdigest()


def choice_of_source() -> None:
    import streamlit as st  # noqa: PLC0415 - the script of the test's page

    from pages.audit.epsilon_star import source_controls  # noqa: PLC0415

    found = source_controls.draw()
    st.session_state["files"] = None if found is None else found.files


@pytest.mark.parametrize(("kind", "places"), [("one file", 1), ("two files", 2)])
def test_uploads_are_named_with_their_digests(kind: str, places: int) -> None:
    rows = [f"{loss:.4f},{label}" for place, label in enumerate(("train", "test")) for loss in TRAIN[20 * place :][:20]]
    data = "\n".join(["loss,split", *rows]).encode()
    app = AppTest.from_function(choice_of_source, default_timeout=60)
    app.query_params["audit.source"] = kind
    app.run()
    for place in range(places):
        give(app, (f"{place}.csv", data), place=place)
    digest = sha256(data).hexdigest()
    assert app.session_state["files"] == tuple((f"{place}.csv", digest) for place in range(places))


@pytest.mark.parametrize("unit", [Unit.NOT_SAID, Unit.OTHER])
def test_a_report_names_no_control_of_the_page(unit: Unit) -> None:
    """Why there is no estimate is said on paper too, where nothing can be clicked."""
    audit = audits.of_groups(Groups(TRAIN, FRESH), Options(Method.PARAMETRIC, Clip.NONE, None, scale=unit))
    assert audit.refused
    assert audit.refused.rstrip(".") in Elements(page("losses.csv", audit)).text
    assert "“" not in audit.refused  # as names of controls are written


def test_rows_for_a_program_are_text_with_the_digits_that_mean_something() -> None:
    """Sentences among them have marks of the page's Markdown; all digits are in the numbers."""
    made = report(source_of(), audit_of(clip=EMPIRICAL_CLIP), None)
    assert any("**" in cell for part in made.evidence for row in part.rows for cell in row)
    found = json.loads(json_file.text(made))
    cells = [cell for part in found["evidence"] for row in part["rows"] for cell in row]
    assert not [cell for cell in cells if "**" in cell or r"\*" in cell or ":gray" in cell]
    assert not [cell for cell in cells if re.search(r"\d\.\d{9,}", cell)]
    value = estimated(audit_of(clip=EMPIRICAL_CLIP)).value
    assert f"{found['numbers']['estimates']['parametric']['value']!r}" == repr(value)
