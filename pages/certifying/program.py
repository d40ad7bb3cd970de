"""Python that prints a certificate's numbers, so that whoever receives one can check it."""

from numerics.trade_off import SMALLEST_ALPHA
from pages.attackers.formulas import membership_lines, relaxed_lines
from pages.certifying.subject import RATES, Subject
from pages.shared import cached, cached_reconstruction, export


def program(subject: Subject) -> str:
    """The program; run it in the project's folder."""
    setting, kappa = subject.setting, subject.known.kappa
    choice = setting.choice
    own, added = export.constructor(setting.release), export.constructor(setting.add_one)
    return f"""import numpy as np
from numerics import membership, relaxed
from numerics.gaussian_membership import GradientRelease, StepTest, level
{export.imports(setting.release)}
from numerics.privacy_loss import Precision
from numerics.trade_off import Order

release = {own}
added = {"release" if added == own else added}
alpha, order, precision = {choice.alpha!r}, Order.{choice.order.name}, {cached.PRECISION!r}
print("DP, epsilon:", release.epsilon({choice.delta!r}, {cached.EPSILON_WIDTH!r}, precision).upper)
print("DP, mu:", release.gaussian_mu({SMALLEST_ALPHA!r}, precision).upper)
print("DP, advantage:", release.advantage(precision).upper)
finer = {cached_reconstruction.PRECISION.down_to(kappa)!r}
print("DP, reconstruction:", release.reconstruction({kappa!r}, finer).upper)
for rate in {RATES!r}:
    print("DP, at", rate, *(release.power(rate, way, precision).upper for way in (Order.ADD, Order.REMOVE)))
{relaxed_lines(setting, "added", "RTM", ".upper")}
print("MIP, eta:", membership.eta(release, precision).upper)
{membership_lines(setting)}"""
