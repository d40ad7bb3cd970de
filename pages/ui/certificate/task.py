"""Making a certificate as a task that runs a part at a time, so that the page shows how far it is and can be left."""

from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from pages.server.budget import current
from pages.ui.certificate.numbers import parts
from pages.ui.certificate.subject import CertificateSubject
from pages.ui.prior_guess import Known
from pages.ui.task_runner import TaskRunner
from pages.ui.threat_models.release import ReleaseSetting

RUNNER = TaskRunner("certificate.task")


@dataclass(frozen=True)
class PartsDone:
    """``done`` of ``total`` parts are computed, and what comes next. See task_runner.Task.start."""

    done: int
    total: int
    following: str


@dataclass(frozen=True)
class CertificateTask:
    """All that a certificate of this release needs, into the cache: whatever is written on it. See task_runner.Task."""

    setting: ReleaseSetting
    known: Known | None

    def start(self) -> Generator[PartsDone, None, None]:
        """The parts, one by one."""
        todo = parts(CertificateSubject(self.setting, self.known))
        names = [name for name, _ in todo]
        for number, (_, compute) in enumerate(todo, start=1):
            with suppress(ValueError):  # said on the certificate
                compute()
            current().check()  # what was broken off is not done, whoever took that for a refusal
            yield PartsDone(number, len(todo), next(iter(names[number:]), ""))

    def words(self, chunks: Sequence[PartsDone], seconds: float) -> str:
        """How far it is."""
        (first, _), *_ = parts(CertificateSubject(self.setting, self.known))
        following = chunks[-1].following if chunks else first
        return f"Certificate: {following or 'done'}, {seconds:.0f} s"

    def result(self, chunks: Sequence[PartsDone], seconds: float) -> bool | None:
        """True once all parts are there."""
        return True if chunks and chunks[-1].done == chunks[-1].total else None
