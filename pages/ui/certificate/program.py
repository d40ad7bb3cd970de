"""Python that prints a certificate's numbers, so that whoever receives one can check it."""

from numerics.trade_off import SMALLEST_ALPHA
from pages.ui import cached, cached_reconstruction
from pages.ui.certificate.subject import RATES, CertificateSubject
from pages.ui.threat_models.snippet import eta_lines, membership_lines, relaxed_lines
from reports.python_code import constructor, imports


def program(subject: CertificateSubject) -> str:
    """The program; run it in the project's folder."""
    setting, choice = subject.setting, subject.setting.choice
    own = constructor(setting.release)
    return f"""import numpy as np
from numerics import membership, reconstruction, relaxed
from numerics.gaussian_membership import GradientRelease, StepTest, level
{imports(setting.release)}
from numerics.membership import Game
from numerics.privacy_loss import Precision
from numerics.trade_off import Order

release = {own}
alpha, order, precision = {choice.alpha!r}, Order.{choice.order.name}, {cached.PRECISION!r}
print("DP, epsilon:", release.epsilon({choice.delta!r}, {cached.EPSILON_WIDTH!r}, precision).upper)
print("DP, mu:", release.gaussian_mu({SMALLEST_ALPHA!r}, precision).upper)
print("DP, advantage:", release.advantage(precision).upper)
{_reconstruction(subject)}for rate in {RATES!r}:
    print("DP, at", rate, *(release.power(rate, way, precision).upper for way in (Order.ADD, Order.REMOVE)))
full = release.power(alpha, order, precision)
{relaxed_lines(setting)}
{eta_lines(setting)}
{membership_lines(setting)}"""


def _reconstruction(subject: CertificateSubject) -> str:
    """The lines for a guess of the prior; none where it is not set."""
    if subject.known is None:
        return ""
    return f'print("DP, reconstruction:", {cached_reconstruction.in_python("release", subject.known)}.upper)\n'
