"""The image, the compose file and the proxy fit the app: what a machine without a container engine can tell."""

import ast
import base64
import hashlib
import re
import tomllib
from pathlib import Path

import pytest
import streamlit

from numerics.version import VERSION
from pages.server import health
from tests import ROOT
from tests.image import HEADERS, PROXY, image_files, in_image, wanted

DOCKERFILE = (ROOT / "Dockerfile").read_text()
STEPS = [line for line in DOCKERFILE.replace("\\\n", " ").splitlines() if line and not line.startswith("#")]
COMPOSE = (ROOT / "compose.yaml").read_text()
GUIDE = (ROOT / "docs" / "deployment.md").read_text()
CONFIG = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())


def steps(name: str) -> list[str]:
    return [line.removeprefix(name).strip() for line in STEPS if line.startswith(name + " ")]


def test_the_image_runs_without_rights_on_a_pinned_base() -> None:
    assert steps("USER")[-1].isdecimal()  # a number: it can be seen not to be root's
    assert steps("USER")[-1] != "0"
    assert re.search(r"^ARG PYTHON=3\.1[1-3]\.\d+-slim-\w+$", DOCKERFILE, re.MULTILINE)
    assert all(":${PYTHON}" in base for base in steps("FROM"))
    last = [line for line in STEPS if line.startswith(("USER", "COPY", "RUN"))][-1]
    assert last.startswith("USER")  # nothing is written as the app's own user


def test_what_is_copied_exists_and_is_wanted() -> None:
    for step in steps("COPY"):
        if "--from" not in step:
            assert all((ROOT / source).exists() for source in step.split()[:-1]), step
    assert all(path.exists() for path in wanted())


def test_the_image_holds_the_app_and_nothing_else() -> None:
    files = set(image_files())
    for layer in ("pages", "reports", "plotting", "numerics", "losses", "people_view"):
        sources = {path.relative_to(ROOT).as_posix() for path in (ROOT / layer).rglob("*.py")}
        assert {name for name in sources if "/build/" not in name} <= files  # copies that pip makes
    assert {"app.py", ".streamlit/config.toml", "docs/icon.svg", "data/ages.csv", "requirements.txt"} <= files
    assert {"people_view/pyproject.toml", "people_view/frontend/people.js", "people_view/frontend/people.css"} <= files
    for name in ("tests/test_data.py", "benchmarks/slider.py", ".git/config", "data/make_ages.py", "docs/icon.png"):
        assert not in_image(name)
    assert not any("__pycache__" in name for name in files)


def test_the_health_check_asks_what_the_app_answers() -> None:
    command = ast.literal_eval(steps("HEALTHCHECK")[-1].split("CMD ")[1])
    port = re.search(r"STREAMLIT_SERVER_PORT=(\d+)", DOCKERFILE)
    assert port is not None
    compile(command[2], "health check", "exec")
    assert f"http://127.0.0.1:{port[1]}{health.PATH}'" in command[2]  # test_package.py asks a running server for it
    assert f"`GET {health.PATH}`" in GUIDE
    assert f"@operators path {health.PATH} " in PROXY
    assert f"dynamic a app {port[1]}" in PROXY


def test_compose_names_this_version_and_bounds_what_runs() -> None:
    assert f"image: privacy-trade-offs:{VERSION}\n" in COMPOSE
    assert re.search(r"image: caddy:\d+\.\d+\.\d+\n", COMPOSE)
    for line in ("read_only: true", "cap_drop: [ALL]", '["no-new-privileges:true"]'):
        assert COMPOSE.count(line) == 2, line  # the app's and the proxy's
    assert COMPOSE.count("memory: ") == 2
    assert "internal: true" in COMPOSE


def test_a_visitor_stays_on_one_replica() -> None:
    assert re.search(r"lb_policy cookie \w+\n", PROXY)


def test_the_policy_allows_the_one_script_of_streamlits_page() -> None:
    page = Path(streamlit.__file__).with_name("static") / "index.html"
    scripts = re.findall(r"<script>(.*?)</script>", page.read_text(), re.DOTALL)
    hashes = {f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" for one in scripts}
    assert hashes == set(re.findall(r"'sha256-[^']+'", PROXY))
    rules = HEADERS["Content-Security-Policy"].split("; ")
    assert not any("unsafe" in rule for rule in rules if rule.startswith("script-src"))
    assert {"default-src 'none'", "frame-ancestors 'none'"} <= set(rules)


@pytest.mark.parametrize("name", ["X-Content-Type-Options", "Referrer-Policy", "Permissions-Policy"])
def test_the_proxy_sends_the_other_headers(name: str) -> None:
    assert HEADERS[name]


def test_the_proxy_lets_through_what_the_app_takes_and_little_more() -> None:
    most = CONFIG["server"]["maxUploadSize"]
    found = re.search(r"max_size (\d+)MiB", PROXY)
    assert found is not None
    assert 0 < int(found[1]) - most <= 1


@pytest.mark.parametrize(
    "name", [f"{table}.{key}" for table in ("server", "browser", "client", "runner") for key in CONFIG[table]]
)
def test_every_setting_is_explained(name: str) -> None:
    assert f"`{name}`" in GUIDE
