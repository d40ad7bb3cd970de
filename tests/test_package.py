"""The wheel: the mathematics with NumPy and SciPy alone, the app by its command, and nothing that is not theirs."""

import os
import re
import subprocess
import sys
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path
from venv import EnvBuilder

import numpy as np
import pytest
import scipy
from packaging.requirements import Requirement

from numerics.version import VERSION
from tests import ROOT
from tests.browser.server import running_app
from tests.image import image_files

pytestmark = pytest.mark.nightly  # two environments and a server
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
README = (ROOT / "README.md").read_text()
INSTALLED = Path(np.__file__).parents[1]
PATHS = sorted(Path(np.__file__).parents[1].glob("numpy*")) + sorted(Path(scipy.__file__).parents[1].glob("scipy*"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, as ``pip`` has it built, without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder], cwd=ROOT, check=True)
    (built,) = folder.glob("*.whl")
    return built


def environment(home: Path, wheel: Path, packages: Path) -> Path:
    """The programs of a new environment, with the wheel and the packages of a folder."""
    EnvBuilder(symlinks=os.name != "nt").create(home)
    programs = home / ("Scripts" if os.name == "nt" else "bin")
    (site,) = home.glob("[Ll]ib/**/site-packages")
    (site / "others.pth").write_text(f"{packages}\n")
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", "--no-index", "--no-deps", "--no-compile", str(wheel)], check=True)
    return programs


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Programs of an environment that has NumPy and SciPy, and no other package."""
    packages = tmp_path_factory.mktemp("packages")
    for path in PATHS:
        (packages / path.name).symlink_to(path)
    return environment(tmp_path_factory.mktemp("bare"), wheel, packages)


def output(*command: str | Path, where: Path) -> str:
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_prints_three_numbers_of_the_readme_without_the_app(bare: Path, tmp_path: Path) -> None:
    printed = output(bare / "python", ROOT / "docs" / "three_numbers.py", where=tmp_path).splitlines()
    in_readme = [line for line in printed if f"'{line}'\n" in README]
    assert len([line for line in in_readme if re.search(r"\d", line)]) >= 3


def test_no_module_of_the_mathematics_needs_more_than_numpy_and_scipy(bare: Path, tmp_path: Path) -> None:
    script = (
        "import pkgutil; from importlib import import_module; from importlib.util import find_spec; import numerics\n"
        "for each in pkgutil.walk_packages(numerics.__path__, 'numerics.'): import_module(each.name)\n"
        "print(numerics.__file__, numerics.shipped.DATA, find_spec('streamlit'), find_spec('pages'))\n"
        "print(len(numerics.training.shipped('digits')))"
    )
    first, rows = output(bare / "python", "-c", script, where=tmp_path).splitlines()
    package, data, *apps = first.split()
    assert Path(package).is_relative_to(bare.parent)
    assert Path(data) == Path(package).with_name("data")
    assert apps == ["None", "None"]  # nothing of the app, under no name of its layers
    assert int(rows) > 10


def test_the_command_says_what_is_missing(bare: Path) -> None:
    for given, extra in (([], "app"), (["audit", "x.csv"], "warehouse")):
        done = subprocess.run([bare / "privacy-trade-offs", *given], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert f"[{extra}]" in done.stderr
        assert "streamlit" in done.stderr


@pytest.fixture(scope="module")
def full(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Programs of an environment with what the tests have; the component is not installed there by itself."""
    return environment(tmp_path_factory.mktemp("full"), wheel, INSTALLED)


@pytest.fixture(scope="module")
def url(full: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the installed command serves the app."""
    home = tmp_path_factory.mktemp("home")
    settings = {"STREAMLIT_SERVER_SCRIPT_HEALTH_CHECK_ENABLED": "true"}
    with running_app(home, home, settings, command=[full / "privacy-trade-offs"]) as server:
        yield server.url


def answer(address: str) -> str:
    with urllib.request.urlopen(address, timeout=60) as reply:
        return str(reply.read().decode())


def test_the_command_starts_the_app_with_its_settings_and_pages(url: str) -> None:
    assert answer(f"{url}/_stcore/health") == answer(f"{url}/health") == "ok"
    assert answer(f"{url}/_stcore/script-health-check") == "ok"


def test_the_installed_component_is_served(url: str) -> None:
    script = answer(f"{url}/_stcore/bidi-components/privacy-trade-offs.people/people.js")
    assert script == (ROOT / "people_view" / "frontend" / "people.js").read_text()


def test_the_command_audits_files(full: Path, tmp_path: Path) -> None:
    table = ROOT / "data" / "digits_overfitted.csv.gz"
    told = output(full / "privacy-trade-offs", "audit", table, "--estimate", "none", "--json", where=tmp_path)
    assert '"privacy-trade-offs audit' in told


def test_the_wheel_has_what_the_image_has_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as content:
        held = {name.removeprefix("privacy_trade_offs/") for name in content.namelist()}
    held = {f"data{name.removeprefix('numerics/data')}" if name.startswith("numerics/data") else name for name in held}
    own = {"__init__.py", "__main__.py", "command.py", "written_sheet.py", "pyproject.toml"}
    held = {name for name in held if ".dist-info/" not in name} - own
    wanted = {"docs/icon.svg", "docs/audit_your_training.md", *(n for n in image_files() if not n.startswith("docs/"))}
    assert held == wanted - {"requirements.txt", "LICENSE", "people_view/pyproject.toml"}


def test_metadata_has_the_version_and_the_direct_packages_of_the_lock(wheel: Path) -> None:
    assert VERSION in wheel.name
    lock = dict(re.findall(r"^([\w.-]+)==(\S+)", "".join(map(Path.read_text, ROOT.glob("requirements*.txt"))), re.M))
    block = (ROOT / "requirements.txt").read_text().split("# Pulled in")[0]
    direct = set(re.findall(r"^([\w.-]+)==", block, re.M))
    extras = PROJECT["optional-dependencies"]
    asked = [Requirement(line) for line in sum(extras.values(), PROJECT["dependencies"])]
    assert {each.name for each in map(Requirement, PROJECT["dependencies"] + extras["app"])} == direct
    assert all(each.specifier.contains(lock[each.name]) for each in asked if each.name != PROJECT["name"])
