"""What a certificate is about, and who answers for it."""

from dataclasses import dataclass

from pages.ui.prior_guess import Known
from pages.ui.threat_models.release import ReleaseSetting

RATES = (0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6)
"""False positive rates of the certificate's table."""


@dataclass(frozen=True)
class FormEntries:
    """What a person wrote into the form: shown as text, and kept in the session only.

    Attributes:
        release: its name.
        responsible: who answers for it.
        answers: to what a report asks of people, by the fields' keys.
    """

    release: str = ""
    responsible: str = ""
    answers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class CertificateSubject:
    """The release of a certificate.

    Attributes:
        setting: the release and its circumstances, as the attackers' models see them.
        known: what an attacker can guess of a record beforehand; None where nothing is said of it.
        address: restores the page that the certificate was made on.
        named: what a person wrote.
    """

    setting: ReleaseSetting
    known: Known | None
    address: str = ""
    named: FormEntries = FormEntries()


def one_of_all(records: int | None) -> Known | None:
    """The prior of an attacker who only knows that the record is one of so many; None where N is not set."""
    if records is None:
        return None
    if records == 1:
        return Known(1.0, "the only record there is")
    return Known(1.0 / records, f"one of {records:,} records, no one likelier than another")
