"""The import rule and the other rules of the house that can be read off the source."""

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
    # It shows what the other pages draw, by their own presets.
    "pages/papers": {f"pages.{page}" for page in PAGES} | BELOW_PAGES,
    "app.py": {"pages.ui", "pages.server"},
    "privacy_trade_offs": {"privacy_trade_offs", "reports"},
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
LINES_OF_A_FUNCTION = 50


def python_files(layer: str) -> list[Path]:
    """The files of a layer: one file, or a package with everything in it."""
    path = ROOT / layer
    starts = {ROOT / other for other in MAY_IMPORT_OF_OWN if other.endswith(".py") and other != layer}
    return [path] if path.is_file() else sorted(set(path.rglob("*.py")) - starts)


def product_files() -> list[Path]:
    return [file for layer in MAY_IMPORT_OF_OWN for file in python_files(layer)]


@cache
def nodes(path: Path) -> list[ast.AST]:
    """Everything in the source of a file, which is read once."""
    return list(ast.walk(ast.parse(path.read_text())))


@pytest.fixture(scope="module", autouse=True)
def sources_are_forgotten() -> Iterator[None]:
    """A million nodes that stay would be looked through, again and again, until the last test."""
    yield
    nodes.cache_clear()


def imported_modules(path: Path) -> set[str]:
    """Dotted names of everything a file imports, wherever in the file; ``from a import b`` counts as ``a.b``."""
    names = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the layer"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


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


def test_the_rule_sees_a_forbidden_import(tmp_path: Path) -> None:
    script = tmp_path / "bad.py"
    script.write_text("def late():\n    from pages.home import draw\n    import streamlit.web\n")
    assert imported_modules(script) == {"pages.home.draw", "streamlit.web"}
    assert not any(lies_in("pages.home.draw", package) for package in MAY_IMPORT_OF_OWN["pages/about"])


def test_what_does_not_hold_is_drawn_and_never_used() -> None:
    """Formulas known not to hold are for the page about corrections and for tests alone."""
    users = {path for path in product_files() if "numerics.as_quoted" in imported_modules(path)}
    assert users
    assert all(path.parent == ROOT / "pages" / "about" for path in users), users


def calls_in(path: Path) -> list[ast.Call]:
    return [node for node in nodes(path) if isinstance(node, ast.Call)]


def test_every_folder_is_a_layer_and_every_file_lies_in_one() -> None:
    found = {path.relative_to(ROOT / "pages").parts[0] for path in (ROOT / "pages").rglob("*.py")}
    assert found == {"__init__.py", "server", "ui", *PAGES}


def test_the_catalog_lists_every_page_once_each_with_an_address_of_its_own() -> None:
    assert sorted(page.folder for page in catalog.PAGES) == PAGES
    assert len({page.address for page in catalog.PAGES}) == len(PAGES)
    for page in catalog.PAGES:
        assert (ROOT / page.script).is_file()


@pytest.mark.parametrize(
    "word",
    ["unsafe_allow_html", "allow_dangerous", "cache_data", "cache_resource", "pickle", "cached_property"],
)
def test_word_is_absent(word: str) -> None:
    """Markup from text, and caches that sample large arrays, outlive a session or have a lock for all objects.

    That of ``functools.cached_property`` on Python 3.11 is one; ``numerics.lazy_property`` has none.
    """
    for path in product_files():
        names = {node.id for node in nodes(path) if isinstance(node, ast.Name)}
        names |= {node.attr for node in nodes(path) if isinstance(node, ast.Attribute)}
        names |= {keyword.arg for call in calls_in(path) for keyword in call.keywords if keyword.arg}
        assert not any(word in name for name in names), path


def test_functions_stay_short() -> None:
    for path in product_files():
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef):
                assert (node.end_lineno or 0) - node.lineno < LINES_OF_A_FUNCTION, f"{path.name}: {node.name}"


def test_value_objects_are_frozen() -> None:
    """All but those named here, which are work under way."""
    decorated = (
        (node.name, ast.unparse(decorator))
        for path in product_files()
        for node in nodes(path)
        if isinstance(node, ast.ClassDef)
        for decorator in node.decorator_list
    )
    changing = {name for name, how in decorated if how.startswith("dataclass") and "frozen=True" not in how}
    assert changing == {"BackgroundWork", "Budget", "Lattices", "Run", "_Asked", "_Tests"}


def test_docstrings_point_at_classes_that_are_there() -> None:
    tops = [node for path in product_files() for node in nodes(path)]
    classes = {node.name for node in tops if isinstance(node, ast.ClassDef)}
    said = [ast.get_docstring(node) or "" for node in tops if isinstance(node, ast.FunctionDef)]
    assert {name for text in said for name in re.findall(r"^See ([A-Z]\w+)", text)} <= classes


def test_a_class_has_a_name_of_its_own() -> None:
    """Two kinds of ``Level`` in two files are two ideas that a reader takes for one."""
    homes: dict[str, list[str]] = {}
    for path in product_files():
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(str(path.relative_to(ROOT)))
    assert {name: files for name, files in homes.items() if len(set(files)) > 1} == {}
