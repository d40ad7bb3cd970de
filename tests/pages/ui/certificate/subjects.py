"""Releases to certify, and their certificates, each drawn once."""

from functools import cache

from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Mechanism, Sampling
from numerics.trade_off import Order
from pages.ui.certificate import html_file
from pages.ui.certificate.subject import CertificateSubject, FormEntries, one_of_all
from pages.ui.release_choice import ReleaseChoice
from pages.ui.threat_models.release import ReleaseSetting
from tests.html import Elements

SGD = Gaussian(1.0, 0.01, 1000)
NO_NOISE = Gaussian(1e-3)
FIXED = Gaussian(1.0, 0.01, 100, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
PHASES = Composition((Laplace(3.0), Laplace(2.0)))
UNNAMED = FormEntries()


def subject(
    release: Mechanism = SGD, named: FormEntries = UNNAMED, address: str = "", *, delta: float = 1e-5
) -> CertificateSubject:
    setting = ReleaseSetting(ReleaseChoice(release, 1e-3, Order.ADD, delta, records=1000, dimension=1))
    return CertificateSubject(setting, one_of_all(1000), address, named)


@cache
def page(release: Mechanism, delta: float = 1e-5) -> Elements:
    return Elements(html_file.page(subject(release, delta=delta)))


def choice_of(order: Order) -> ReleaseChoice:
    return ReleaseChoice(SGD, 1e-3, order, 1e-5)
