"""Making a certificate: every page of a release offers it, with its label and its file; it is made in parts."""

import pytest
from streamlit.testing.v1 import AppTest

from numerics.deadline import DeadlineError
from numerics.mechanisms import Mechanism
from pages.server.budget import Budget, within
from pages.ui import task_runner
from pages.ui.certificate.task import RUNNER, CertificateTask
from tests.pages.driver import visit
from tests.pages.ui.certificate.subjects import NO_NOISE, PHASES, SGD, subject
from tests.pages.visit import checked


def files(app: AppTest) -> set[str]:
    """What the page offers to take away."""
    return {button.proto.label for button in app.get("download_button")}


@pytest.mark.parametrize("address", ["mechanism", "attackers", "reconstruct"])
def test_every_page_of_a_release_offers_it_once_it_is_asked_for(address: str) -> None:
    app = visit(address, folds_open=True)
    for key in ("privacy_label.open", "certificate.open"):
        app.session_state[key] = True
    checked(app.run())
    checked(app.text_input(key="certificate.release").set_value("The <b>model</b>").run())
    checked(app.text_area(key="certificate.report_trust").set_value("central").run())
    assert "Certificate (HTML)" not in files(app)
    app.button(key="certificate.task_start").click().run()
    while RUNNER.running_key in app.session_state:
        app.run()
    assert files(checked(app)) >= {"Certificate (HTML)", "Label (Markdown)", "Label (HTML)", "Release (JSON)"}
    assert app.text_input(key="certificate.release").value == "The <b>model</b>"
    assert not {"certificate.release", "certificate.report_trust"} & set(app.query_params)


def test_making_it_can_be_left_and_ends_with_the_release_it_is_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(task_runner, "SLICE", 1e-9)
    app = visit("mechanism", folds_open=True)
    app.toggle(key="certificate.open").set_value(True).run()
    app.button(key="certificate.task_start").click().run()
    app.button(key="certificate.task_cancel").click().run()
    assert "Certificate (HTML)" not in files(app)
    app.button(key="certificate.task_start").click().run()
    assert RUNNER.running_key in app.session_state
    checked(app.number_input(key="people").set_value(70_000.0).run())
    assert RUNNER.running_key not in app.session_state


def test_a_part_that_is_broken_off_is_not_done() -> None:
    at = subject(SGD.with_noise(1.21))
    with within(Budget(is_left=lambda: True)), pytest.raises(DeadlineError):
        next(CertificateTask(at.setting, at.known).start())


@pytest.mark.parametrize("release", [SGD, NO_NOISE, PHASES])
def test_parts_are_counted_and_it_is_there_once_all_are_done(release: Mechanism) -> None:
    at = subject(release)
    task = CertificateTask(at.setting, at.known)
    chunks = list(task.start())
    assert [chunk.done for chunk in chunks] == list(range(1, chunks[0].total + 1))
    assert (task.result(chunks, 0.0), task.result(chunks[:-1], 0.0), task.result([], 0.0)) == (True, None, None)
    assert task.words([], 0.0) == "Certificate: the attacker who knows all but the noise, 0 s"
