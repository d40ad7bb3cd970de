"""The import rule, and words that no source of the product may have."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from pages.ui import catalog
from tests import ROOT

OWN = {
    "numerics",
    "losses",
    "people_view",
    "plotting",
    "reports",
    "pages",
    "app",
    "privacy_trade_offs",
    "tests",
    "benchmarks",
}
PAGES = sorted(path.parent.name for path in (ROOT / "pages").glob("*/page.py"))
BELOW_PAGES = {"pages.ui", "pages.server", "reports", "plotting", "people_view", "numerics", "losses"}
MAY_IMPORT_OF_OWN = {
    "numerics": {"numerics"},
    "losses": {"losses", "numerics"},
    "losses/__main__.py": {"reports"},  # it starts the command
    "people_view": {"people_view"},
    "plotting": {"plotting", "numerics"},
    "reports": {"reports", "plotting", "losses", "numerics"},
    "pages/server": {"pages.server", "numerics", "losses"},
    "pages/ui": BELOW_PAGES,
    **{f"pages/{page}": {f"pages.{page}"} | BELOW_PAGES for page in PAGES},
    "app.py": {"pages.ui", "pages.server"},
    "privacy_trade_offs": {"privacy_trade_offs", "reports", "numerics"},
}
MUST_NOT_IMPORT = {
    "numerics": {"streamlit", "plotly", "pandas", "pyarrow"},
    "losses": {"streamlit", "plotly"},
    "people_view": {"plotly", "scipy", "pandas", "numpy"},
    "plotting": {"streamlit", "scipy", "pandas"},
    "reports": {"streamlit", "scipy", "pandas"},
    **{layer: {"plotly", "scipy"} for layer in MAY_IMPORT_OF_OWN if layer.startswith("pages/")},
    "app.py": {"plotly", "scipy", "pandas"},
    "privacy_trade_offs": {"numpy", "plotly", "scipy", "pandas"},
}


def python_files(layer: str) -> list[Path]:
    """The files of a layer: one file, or a package with everything in it."""
    path = ROOT / layer
    starts = {ROOT / other for other in MAY_IMPORT_OF_OWN if other.endswith(".py") and other != layer}
    return [path] if path.is_file() else sorted(set(path.rglob("*.py")) - starts)


def product_files() -> list[Path]:
    return [file for layer in MAY_IMPORT_OF_OWN for file in python_files(layer)]


@cache
def imported_modules(path: Path) -> set[str]:
    """Dotted names of everything a file imports, wherever in the file; ``from a import b`` counts as ``a.b``."""
    imports: set[str] = set()
    for node in statements(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            imports |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the layer"
            imports |= {f"{node.module}.{alias.name}" for alias in node.names}
    return imports


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """All statements below one; no expression holds any."""
    for part in ("body", "handlers", "orelse", "finalbody", "cases"):
        for each in getattr(node, part, ()):
            yield each
            yield from statements(each)


def lies_in(module: str, package: str) -> bool:
    return f"{module}.".startswith(f"{package}.")


@pytest.mark.parametrize("layer", MAY_IMPORT_OF_OWN)
def test_layers_import_only_what_lies_below(layer: str) -> None:
    for path in python_files(layer):
        for module in imported_modules(path):
            if module.split(".")[0] in OWN:
                allowed = MAY_IMPORT_OF_OWN[layer]
                assert any(lies_in(module, package) for package in allowed), f"{path.name} imports {module}"


@pytest.mark.parametrize("layer", MUST_NOT_IMPORT)
def test_layers_stay_clear_of_what_is_not_theirs(layer: str) -> None:
    for path in python_files(layer):
        packages = {module.split(".")[0] for module in imported_modules(path)}
        assert not packages & MUST_NOT_IMPORT[layer], path


def test_no_folder_grows_over_its_row() -> None:
    rows = re.findall(r"^\| `(\w+)/` \| ([\d,]+) \|$", (ROOT / "docs" / "size.md").read_text(), re.MULTILINE)
    assert {name for name, _ in rows} >= {"numerics", "losses", "reports", "plotting", "pages", "tests"}
    for name, most in rows:
        files = [path for path in (ROOT / name).rglob("*.py") if "build" not in path.parts]  # copies that pip makes
        lines = sum(len(path.read_text().splitlines()) for path in files)
        assert lines <= int(most.replace(",", "")), f"{name}/ has {lines:,} lines: see docs/size.md"


def test_the_rule_sees_a_forbidden_import(tmp_path: Path) -> None:
    script = tmp_path / "bad.py"
    script.write_text("def late():\n    from pages.home import draw\n    import streamlit.web\n")
    assert imported_modules(script) == {"pages.home.draw", "streamlit.web"}
    assert not any(lies_in("pages.home.draw", package) for package in MAY_IMPORT_OF_OWN["pages/about"])


def test_what_does_not_hold_is_drawn_and_never_used() -> None:
    """Formulas known not to hold are for the figures of the papers and for tests alone."""
    users = {path for path in product_files() if "numerics.as_quoted" in imported_modules(path)}
    assert all(path.parent == ROOT / "pages" / "papers" for path in users), users


def test_every_folder_is_a_layer_and_every_file_lies_in_one() -> None:
    found = {path.relative_to(ROOT / "pages").parts[0] for path in (ROOT / "pages").rglob("*.py")}
    assert found == {"__init__.py", "server", "ui", *PAGES}


def test_the_catalog_lists_every_page_once_each_with_an_address_of_its_own() -> None:
    assert sorted(page.folder for page in catalog.PAGES) == PAGES
    assert len({page.address for page in catalog.PAGES}) == len(PAGES)
    for page in catalog.PAGES:
        assert (ROOT / page.script).is_file()


@pytest.mark.parametrize(
    "word", ["unsafe_allow_html", "allow_dangerous", "cache_data", "cache_resource", "pickle", "cached_property"]
)
def test_word_is_absent(word: str) -> None:
    """Markup from text, and caches that sample large arrays, outlive a session or have a lock for all objects.

    That of ``functools.cached_property`` on Python 3.11 is one; ``numerics.lazy_property`` has none.
    """
    for path in (path for path in product_files() if word in path.read_text()):
        for node in ast.walk(ast.parse(path.read_text())):
            assert not any(word in str(getattr(node, part, "")) for part in ("id", "attr", "arg")), path
