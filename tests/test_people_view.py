"""The component: it is installed as pages need it, agrees with them on colours and scale, and takes texts as texts."""

import re
from importlib import metadata, resources
from pathlib import Path

import pytest

import people_view
from plotting import theme

FRONTEND = Path(people_view.__file__).with_name("frontend")
SCRIPTS = sorted(FRONTEND.glob("*.js"))
STYLE = (FRONTEND / "people.css").read_text()


def test_it_is_an_installed_package_that_streamlit_takes_for_a_component() -> None:
    installed = metadata.distribution("people-view")
    assert "streamlit" in installed.metadata["Summary"].lower()
    assert (resources.files(people_view) / "pyproject.toml").is_file()
    assert (resources.files(people_view) / "py.typed").is_file()


def test_colours_and_the_scale_of_heights_are_those_of_the_figures_and_who_wants_less_motion_has_it() -> None:
    crowd, hills = ((FRONTEND / name).read_text() for name in ("crowd.js", "hills.js"))
    assert f'guessed: "{theme.OUTSIDER}", found: "{theme.MEMBER}", other: "{theme.NEUTRAL}"' in crowd
    assert f"--null: {theme.OUTSIDER}; --with: {theme.MEMBER};" in STYLE
    assert f"const HIGHEST = {people_view.HEIGHT}, PLACES = {people_view.PLACES};" in hills
    assert not re.search(r"url\(|@import|transition|animation", STYLE)  # it fetches nothing
    assert "prefers-reduced-motion" in (FRONTEND / "people.js").read_text()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_make_no_markup_or_code_of_what_they_are_given(script: Path) -> None:
    text = script.read_text()
    assert not re.search(r"\beval\b|new Function|insertAdjacentHTML|outerHTML|document\.write", text)
    markup = [line.strip() for line in text.splitlines() if "innerHTML" in line]
    assert set(markup) <= {"box.innerHTML = kind.markup;"}
    imported = set(re.findall(r'from "(.+?)"', text))
    assert imported <= {f"./{one.name}" for one in SCRIPTS}
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
