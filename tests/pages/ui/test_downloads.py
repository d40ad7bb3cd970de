"""What visitors take away: the same numbers as on the page, and nothing that runs."""

import csv
import io
import re
import tomllib
import unicodedata
from collections.abc import Callable
from itertools import product
from urllib.parse import parse_qs

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from streamlit.runtime.state import session_state_proxy

from numerics.deadline import DeadlineError
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace
from numerics.trade_off import Bound, Order, TradeOffCurve
from numerics.version import VERSION
from pages.mechanism.numbers import python_snippet
from pages.server.budget import Visit, current
from pages.ui import cached, downloads, share
from pages.ui.catalog import ATTACKERS, AUDIT, FRONTIER, MECHANISM, RECONSTRUCT, Page
from pages.ui.share import Shared
from tests import ROOT
from tests.html import Elements
from tests.pages.driver import SHOWN, text, visit


def runs(cell: object) -> bool:
    """Whether a spreadsheet may run a cell: after blanks and what nobody sees it begins with a sign, wide ones too."""
    seen = "".join(mark for mark in str(cell) if unicodedata.category(mark) not in ("Cc", "Cf", "Zl", "Zp"))
    return unicodedata.normalize("NFKC", seen).strip().startswith(("=", "+", "-", "@"))


SIGNS = "a0 ,;|\t\n\r\"'#=+-@\uff1d\uff0b\uff0d\uff20\x00\x85"
UNSEEN = "\u200b\u202e\u2028\ufeff\xad\u061c\u180e\u206a\ufff9\U000e0041"


@given(st.text(SIGNS + UNSEEN, max_size=12))
@example("a,\U000e0041\u180e@b")
@example("a\n=cmd|' /C calc'!A0")
@example('0m;""=HYPERLINK(1)')
@example("0m|\uff1d1+1")
def test_formulas_never_reach_a_spreadsheet(text: str) -> None:
    """In names, notes and cells, whatever the program that opens the file takes for the separator of cells."""
    table = downloads.table({text: ["x", text]}, {text: text, "note": text})
    for separator, skipped in product(",;|\t", (False, True)):
        for row in csv.reader(io.StringIO(table, newline=""), delimiter=separator, skipinitialspace=skipped):
            assert not any(map(runs, row)), row


def test_a_table_on_a_page_may_be_saved_by_its_toolbar_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = list[pd.DataFrame]()
    monkeypatch.setattr("streamlit.dataframe", lambda table, **_: shown.append(pd.DataFrame(table)))
    downloads.draw_table({"=1": ["=HYPERLINK(1)", "x"], "'=1": ["a,\t@b", "\uff0b1"], "number": [-1.0, 2.0]})
    first, second, numbers = shown[0].columns
    assert not any(map(runs, [first, second, *shown[0][first], *shown[0][second]]))
    assert shown[0][numbers].tolist() == [-1.0, 2.0]
    drawn = [path for path in (ROOT / "pages").rglob("*.py") if "st.dataframe(" in path.read_text(encoding="utf-8")]
    assert drawn == [ROOT / "pages/ui/downloads.py"], "every table is drawn by the one function that is safe"


@pytest.mark.parametrize("page", [MECHANISM, ATTACKERS, RECONSTRUCT, AUDIT, FRONTIER], ids=lambda page: page.folder)
def test_the_files_of_every_page(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its data say of what they are, with numbers as numbers; its documents load nothing.

    They are made in a thread without a session, where Streamlit's state is one for all visitors: it stays empty.
    """
    found = list[Shared]()
    monkeypatch.setattr(share, "offer", found.append)
    visit(f"{page.address}?knows_rate=true&rate=1&steps=2&records=5000")
    assert found
    kept = list[str]()
    monkeypatch.setattr(session_state_proxy, "_mock_session_state", None)
    for offered in found:
        assert offered.sheet is not None
        for _, name, make in offered.files(""):
            if name.endswith(".csv"):
                text = str(make())
                header = [line for line in text.splitlines() if line.startswith("#")]
                assert f"# software: privacy trade-offs {VERSION}" in header
                assert not any("float64" in line or "(np" in line for line in header)
                rows = len(pd.read_csv(io.StringIO(text), comment="#"))
                assert rows > 0
                kept += [*header, *text.splitlines()[:: 1 + rows // 20]]
            elif name.endswith(".html"):
                html = str(make())
                assert not re.search(r"<(script|link|img)[^>]+(src|href)=", html)
                kept.append(Elements(html).text)
            else:
                make()
    SHOWN.check(f"files of {page.folder}", kept)
    assert session_state_proxy._mock_session_state is None


def test_a_file_that_nobody_waits_for_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    made = list[Callable[[], str]]()
    monkeypatch.setattr("streamlit.download_button", lambda _, make, *__, **___: made.append(make))
    monkeypatch.setattr(Visit, "is_closed", lambda _: True)

    def make() -> str:
        current().check()
        return ""

    downloads.button("Data (CSV)", "a.csv", make)
    with pytest.raises(DeadlineError, match="moved on"):
        made[0]()


def test_data_are_the_curves_with_parameters_and_assumptions() -> None:
    """Text in them and in names stays text, and runs in no browser."""
    curves = [cached.trade_off(release, points=40) for release in (Gaussian(1.0, 0.1, 10), Laplace(1.0))]
    notes = {"delta": "1e-05", "<name>": "<script>alert(1)</script>"}
    frame = pd.read_csv(io.StringIO(downloads.of_curves(curves, notes)), comment="#")
    assert list(frame["release"].unique()) == [drawn.label for drawn in curves]
    np.testing.assert_array_equal(frame["beta"], np.concatenate([drawn.beta for drawn in curves]))
    drawn, text = curves[0], downloads.of_curves(curves[:1], notes)
    frame = pd.read_csv(io.StringIO(text), comment="#")
    assert drawn.lower is not None
    for name, values in (("alpha", drawn.alpha), ("power", drawn.power), ("power (guarantee)", drawn.lower.power)):
        np.testing.assert_array_equal(frame[name], values)
    of_it = (f"release 1: {drawn.label} (certified). ", "alpha: false positive rate", "delta: 1e-05")
    assert all(said in text for said in (*of_it, *drawn.assumptions))


LINKED = tomllib.loads((ROOT / "tests/pages/addresses.toml").read_text())["linked"]["addresses"]


@pytest.mark.parametrize("address", LINKED)
def test_the_link_has_every_setting_that_is_drawn_and_restores_it(address: str) -> None:
    """Those at their defaults too, as the address spells them: by the labels of what is chosen."""
    app = visit(address, folds_open=True)
    link = next(str(block.value) for block in app.code if str(block.value).startswith("?"))
    said = parse_qs(link.removeprefix("?"))
    assert said.get("audit.sure", ["95 %"]) == ["95 %"]
    assert {"noise", "people" if "knows_rate=true" not in address else "rate", "mechanism", "limit"} <= said.keys()
    again = visit(address.partition("?")[0] + link)
    assert "This address asks" not in text(again), "what is asked for is understood"
    assert all(app.session_state[key] == again.session_state[key] for key in said if key in app.session_state)


@pytest.mark.parametrize("bound", Bound)
def test_only_a_guarantee_leaves_as_a_guarantee(bound: Bound) -> None:
    """An estimate says nothing of what is promised, nor of what an attack is known to reach."""
    alpha, power = np.array([0.0, 0.1, 1.0]), np.array([0.0, 0.3, 1.0])
    curve = TradeOffCurve(alpha, 1.0 - power, power, bound, "curve", ())
    saved = pd.read_csv(io.StringIO(downloads.of_curves([curve, curve], {})), comment="#")
    for column, safe in (("guarantee", Bound.LOWER), ("demonstrated attack", Bound.UPPER)):
        expected = [*power, *power] if bound in (Bound.EXACT, safe) else np.full(6, np.nan)
        np.testing.assert_array_equal(saved[f"power ({column})"], expected)


def test_snippet_prints_the_numbers_on_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    phases = Composition((Laplace(3.0, 0.5, 4), Laplace(2.0)))
    for release, order in ((Gaussian(10.5, 0.08192, 30, Adjacency.REPLACE_ONE), Order.REMOVE), (phases, Order.ADD)):
        exec(python_snippet(release, 0.02, 1e-6, order, 0.3), {})
        printed = capsys.readouterr().out
        of_all = [number(release) for number in (cached.advantage, cached.gaussian_mu, cached.auc)]
        for number in (cached.power(release, 0.02, order), cached.epsilon(release, 1e-6), *of_all):
            assert str(number) in printed
        worth = str(cached.posterior(release, 0.02, 0.3, order)) in printed
        assert worth == (order is not Order.REMOVE)  # a test that clears people accuses nobody
