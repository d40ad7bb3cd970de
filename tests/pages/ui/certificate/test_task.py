"""Making a certificate: every page of a release offers it, it is made in slices, and it can be left on its way."""

import pytest
from streamlit.testing.v1 import AppTest

from numerics.deadline import DeadlineError
from numerics.mechanisms import Composition, Gaussian, Mechanism
from pages.server.budget import Budget, within
from pages.server.shared_cache import SharedCache
from pages.ui import cached, cached_reconstruction, cached_threat_models, task_runner
from pages.ui.certificate import html_file
from pages.ui.certificate.task import RUNNER, CertificateTask
from tests.pages.ui.certificate.subjects import NO_NOISE, PHASES, SGD, subject
from tests.pages.visit import script_of, visited


@pytest.mark.parametrize("file", ["mechanism", "attackers", "reconstruct"])
def test_every_page_of_a_release_offers_it(file: str) -> None:
    app = visited(AppTest.from_string(script_of(f"pages/{file}/page.py"), default_timeout=60), {})
    assert not [box for box in app.text_input if box.key == "certificate.release"]  # costs nothing until it is wanted
    app.toggle(key="certificate.open").set_value(True).run()
    app.text_input(key="certificate.release").set_value("The <b>model</b>").run()
    assert files(app) == []  # nor until it is asked for
    app.button(key="certificate.task_start").click().run()
    while "certificate.task_cancel" in [button.key for button in app.button]:
        app.run()
    assert not app.exception
    assert app.text_input(key="certificate.release").value == "The <b>model</b>"
    assert "certificate.release" not in app.query_params
    assert files(app) == ["Certificate (HTML)"]


def test_making_it_can_be_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_runner, "SLICE", 1e-9)
    app = visited(AppTest.from_string(script_of("pages/mechanism/page.py"), default_timeout=60), {})
    app.toggle(key="certificate.open").set_value(True).run()
    app.button(key="certificate.task_start").click().run()
    app.button(key="certificate.task_cancel").click().run()
    assert files(app) == []
    app.button(key="certificate.task_start").click().run()
    assert RUNNER.running_key in app.session_state
    app.number_input(key="people").set_value(70_000.0).run()  # another release than the one under way
    assert RUNNER.running_key not in app.session_state
    assert "certificate.task_start" in [button.key for button in app.button]


def test_a_part_that_is_broken_off_is_not_done() -> None:
    at = subject(SGD.with_noise(1.21))
    with within(Budget(is_left=lambda: True)), pytest.raises(DeadlineError):
        next(CertificateTask(at.setting, at.known).start())


def files(app: AppTest) -> list[str]:
    labels = [button.proto.label for button in app.get("download_button")]
    return [label for label in labels if label.startswith("Certificate")]


@pytest.mark.parametrize("release", [SGD, NO_NOISE, PHASES, Composition((SGD, Gaussian(2.0, 0.1, 50)))])
def test_all_that_takes_time_is_a_part_of_its_own(release: Mechanism) -> None:
    at = subject(release)
    task = CertificateTask(at.setting, at.known)
    chunks = list(task.start())
    assert [chunk.done for chunk in chunks] == list(range(1, chunks[0].total + 1))
    before = remembered()
    html_file.page(at)
    assert remembered() == before
    assert (task.result(chunks, 0.0), task.result(chunks[:-1], 0.0), task.result([], 0.0)) == (True, None, None)


def remembered() -> int:
    """How many answers the caches hold that a certificate asks."""
    caches = [*vars(cached).values(), *vars(cached_threat_models).values(), *vars(cached_reconstruction).values()]
    return sum(len(cache) for cache in caches if isinstance(cache, SharedCache))


def test_a_certificate_on_its_way_can_be_left_and_names_what_is_next() -> None:
    at = subject()
    task = CertificateTask(at.setting, at.known)
    steps = task.start()
    assert task.words([], 0.0) == "Certificate: the attacker who knows all but the noise, 0 s"
    assert task.words([next(steps)], 1.2) == "Certificate: the attacker who does not know the record, 1 s"
    steps.close()
    assert hash(task) == hash(CertificateTask(at.setting, at.known))
