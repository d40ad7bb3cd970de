"""Several models in a real browser, on a phone: files chosen together, and what the page makes of them."""

from collections.abc import Callable

import numpy as np
from playwright.sync_api import FilePayload, expect

from tests.browser.uploads import accept, offer, payload
from tests.browser.visit import Visit

Open = Callable[..., Visit]
RNG = np.random.default_rng(2)


def table(name: str, header: str, rows: list[str]) -> FilePayload:
    return payload(name, "\n".join([header, *rows]).encode())


def test_several_files_make_a_table_of_models(open_page: Open) -> None:
    visit = open_page("audit?audit.source=several+models", width=390, height=844)
    files = [
        table(
            f"run {run}.csv", "loss,member", [f"{RNG.normal() - run * (row % 2):.6f},{row % 2}" for row in range(200)]
        )
        for run in (1, 2, 10)
    ]
    offer(visit, [*files, table("bad.csv", "name", ["anna"])])
    expect(visit.page.get_by_text("3 files: 600 rows")).to_be_visible()
    expect(visit.page.get_by_test_id("stAlert")).to_contain_text("No column holds numbers.")
    accept(visit)
    expect(visit.page.locator("h3").first).to_contain_text("3 models: with 95 % confidence ε* of each is at least")
    visit.choose(visit.page.get_by_role("combobox", name="Look at one"), "run 10")
    expect(visit.page.get_by_text("run 10, one of 3 models")).to_be_visible()
    with visit.page.expect_download() as download:
        visit.page.get_by_role("button", name="All models (CSV)").click()
    assert download.value.path().read_text().count("\nrun ") == 3
    expect(visit.page.get_by_test_id("stFileUploaderFile")).to_have_count(0)
    assert visit.cut_off() == []
