"""What can be asked of any mechanism; exact where it has a closed form, otherwise a certified bracket."""

from collections.abc import Callable
from importlib import import_module

import numpy as np

from numerics import gaussian_dp
from numerics.mechanisms.location import Subsampled
from numerics.privacy_loss import CertifiedLoss, Precision, StatisticLaw, certify
from numerics.privacy_loss.bounds import GUESSING, blended, no_better
from numerics.privacy_loss.certify import certify_number
from numerics.privacy_loss.pairs import ComposedPairs, exposed, inclusion_probability, together, together_at_last
from numerics.privacy_loss.questions import EpsilonAt, LargestAdvantage, PowerAt, Question
from numerics.trade_off import SMALLEST_ALPHA, Bound, Bracket, CurvePoints, Order, TradeOffCurve
from numerics.validation import NonNegative, OpenProbability, Probabilities, Probability, checked

# Width of the bracket of epsilon when none is asked for: six digits behind the point.
_EPSILON_WIDTH = 5e-7


@checked
class Analysis:
    """Questions about a mechanism. In every Bracket ``lower`` is what a real attack reaches, ``upper`` the guarantee.

    Where these do not meet, the estimate is that of the guarantee, and where no attack is known, ``lower`` is guessing.

    ``precision`` says how narrow certified brackets are to be; it does not matter where the answer is exact.
    Where that is out of reach within the limits of time and memory, brackets are wider, and hold all the same.
    """

    @property
    def label(self) -> str:
        """Short description for legends and file headers."""
        raise NotImplementedError

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the numbers presuppose, in words."""
        raise NotImplementedError

    @property
    def pairs(self) -> ComposedPairs:
        """Dominating pairs, each with the number of its steps: no attack on the release does better."""
        raise NotImplementedError

    @property
    def attack_pairs(self) -> ComposedPairs | None:
        """The laws that one known attack on the release tells apart; None where no attack is known."""
        raise NotImplementedError

    @property
    def reached_pairs(self) -> ComposedPairs | None:
        """Laws whose curve known attacks reach, be it another one at every false positive rate."""
        return None if self.attack_pairs is None else together_at_last(self.attack_pairs)

    @property
    def closed_form(self) -> Subsampled | None:
        """The exact trade-off function, where there is one."""
        raise NotImplementedError

    @property
    def inclusion_probability(self) -> float:
        """Probability that the record takes part in any step: what is released does not depend on it otherwise.

        No attack's advantage exceeds it, nor does any delta; guarantees are cut there (``privacy_loss.refinement``).
        """
        return inclusion_probability(self.pairs)

    @property
    def is_reached(self) -> bool:
        """Whether a known attack on the release does as well as its dominating pairs say, so that brackets close."""
        return all(pair.is_reached for pair, _ in self.pairs)

    @property
    def bound(self) -> Bound:
        """EXACT or CERTIFIED; OPEN where no known attack reaches the guarantee, LOWER where no attack is known."""
        if self.is_reached or self.closed_form is not None:
            return Bound.CERTIFIED if self.closed_form is None else Bound.EXACT
        return Bound.LOWER if self.attack_pairs is None else Bound.OPEN

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return str(import_module("numerics.notebook").of_release(self))

    def certified(self, precision: Precision | None = None) -> CertifiedLoss:
        """The certified bracket of the dominating pairs, also where a closed form exists.

        Its attack is one on the release only where ``is_reached`` says so.
        """
        return certify(together(self.pairs), precision or Precision())

    def _number(
        self, ask: Callable[[ComposedPairs], Bracket], guessing: float = 0.0, is_of_one_attack: bool = False
    ) -> Bracket:
        """A number that grows with the attacker's success, by what ``ask`` says of pairs.

        Guarantee and attack need not be about the same pairs of laws. Where they do not meet but for the grids that
        both are computed on, the estimate is the guarantee's; without any attack ``guessing`` is the lower end. What
        takes a whole curve ``is_of_one_attack``; what takes one point of it may be of that which is best there.
        """
        dominating, attacked = together(self.pairs), self.attack_pairs if is_of_one_attack else self.reached_pairs
        safe = ask(dominating)
        if attacked == dominating:
            return safe
        reached = min(guessing if attacked is None else ask(attacked).lower, safe.upper)
        if self.is_reached:
            return Bracket.between(reached, safe.upper)
        return Bracket.around(reached, safe.estimate, safe.upper)

    def _read(
        self, ask: Callable[[CertifiedLoss], Bracket], precision: Precision | None, guessing: float = 0.0
    ) -> Bracket:
        """The same of what is read off a whole curve."""
        return self._number(lambda pairs: ask(certify(pairs, precision or Precision())), guessing)

    def _narrow(self, question: Question, precision: Precision, guessing: float = 0.0) -> Bracket:
        """The same, bracketed by itself."""
        width, relative = precision.width, precision.relative
        return self._number(lambda pairs: certify_number(pairs, question, width, relative, precision), guessing)

    def trade_off(
        self, alpha: Probabilities, order: Order = Order.ADD, precision: Precision | None = None
    ) -> TradeOffCurve:
        """Trade-off curve at ascending ``alpha`` (n,); certified and open ones carry guarantee and demonstrated attack.

        Raises ValueError unless alpha ascends within [0, 1].
        """
        if self.closed_form is not None:
            return self._curve(self.closed_form.trade_off(alpha, order), Bound.EXACT)
        precision, dominating, attacked = precision or Precision(), together(self.pairs), self.reached_pairs
        safe, shown, reached = certify(dominating, precision).trade_off(alpha, order)
        if attacked is None:
            return self._curve(safe, Bound.LOWER)
        if attacked != dominating:
            reached = no_better(certify(attacked, precision).trade_off(alpha, order)[2], safe)
            shown = blended(safe, reached) if self.is_reached else safe
        sides = self._curve(safe, Bound.LOWER), self._curve(reached, Bound.UPPER)
        return self._curve(shown, self.bound, *sides)

    def _curve(self, values: CurvePoints, bound: Bound, *sides: TradeOffCurve) -> TradeOffCurve:
        alpha = np.array(values.alpha)  # a copy: the caller's array stays writeable
        return TradeOffCurve(alpha, values.beta, values.power, bound, self.label, self.assumptions, *sides)

    def power(self, alpha: Probability, order: Order = Order.ADD, precision: Precision | None = None) -> Bracket:
        """True positive rate at false positive rate ``alpha``."""
        if self.closed_form is not None:
            return Bracket.exact(float(self.closed_form.trade_off(np.array([alpha]), order).power[0]))
        return self._read(lambda loss: loss.power(alpha, order), precision, alpha)

    def narrow_power(self, alpha: Probability, order: Order, precision: Precision) -> Bracket:
        """The same bracketed by itself, as narrowly as ``precision`` asks at this rate, whatever the rest of the curve.

        Costs less than a curve as narrow; but it is not the number that this curve has there, to the last digit.
        """
        if self.closed_form is not None:
            return self.power(alpha, order)
        return self._narrow(PowerAt(alpha, order), precision, alpha)

    def reconstruction(self, prior: Probability, precision: Precision | None = None) -> Bracket:
        """Probability gamma that a record is reconstructed by who guesses it with probability ``prior`` beforehand.

        Reconstruction robustness (paper 003 Thm 1): the power at false positive rate ``prior`` in the add-one order,
        whose null hypothesis is that the record is absent, as the paper has it. Under replace-one adjacency it is that
        another record has its place. That is valid too: whatever fixed law the release is compared with, a guess that
        does not depend on the record succeeds with probability ``prior`` at most, and the power, being concave, carries
        the average over records. It is looser: the two releases differ by two records' pulls rather than by one.

        Guarantees and relative widths are promised from the precision's smallest rate up; below it the bracket still
        holds and is wider. Raises ValueError unless ``prior`` lies in [0, 1].
        """
        return self.power(prior, Order.ADD, precision)

    def posterior(
        self, alpha: OpenProbability, prior: Probability, order: Order = Order.ADD, precision: Precision | None = None
    ) -> Bracket:
        """Probability that an accused record is a member, at false positive rate ``alpha`` and ``prior``."""
        rates = self.power(alpha, order, precision)
        return Bracket.around(*(prior * rate / (prior * rate + (1.0 - prior) * alpha) for rate in rates))

    def epsilon(
        self, delta: OpenProbability, width: NonNegative = _EPSILON_WIDTH, precision: Precision | None = None
    ) -> Bracket:
        """Smallest epsilon for which the mechanism is (epsilon, ``delta``)-DP, worst of both orders.

        Certified brackets are narrowed to ``width`` where the limits of time and memory allow it; the result tells how
        far. An infinite ``width`` stands for the precision's relative one: as much as changes rates by that fraction.
        """
        if delta >= self.inclusion_probability:
            return Bracket.exact(0.0)
        if self.closed_form is not None:
            return Bracket.exact(self.closed_form.epsilon(delta))
        precision = precision or Precision()
        wanted = width if np.isfinite(width) else precision.relative
        best = self._number(lambda pairs: certify_number(pairs, EpsilonAt(delta), wanted, precision=precision))
        return Bracket(*(min(value, self.pure_epsilon) for value in best))

    @property
    def pure_epsilon(self) -> float:
        """Epsilon at delta = 0: the largest total loss (paper 003 Sec. 4.3, correction 40); infinite if Gaussian."""
        return sum(count * pair.largest_loss for pair, count in self.pairs)

    def delta(self, epsilon: NonNegative, precision: Precision | None = None) -> Bracket:
        """Smallest delta for which the mechanism is (``epsilon``, delta)-DP, worst of both orders.

        At ``epsilon`` = infinity what no epsilon removes: the chance that a record is given away for certain.
        """
        if epsilon >= self.pure_epsilon:
            return self._number(lambda pairs: Bracket.exact(exposed(pairs)))
        if self.closed_form is not None:
            return Bracket.exact(self.closed_form.delta(epsilon))
        return self._read(lambda loss: loss.delta(epsilon), precision)

    def advantage(self, precision: Precision | None = None) -> Bracket:
        """Largest TPR - FPR: the total variation distance between the two hypotheses."""
        return self.delta(0.0, precision)

    def narrow_advantage(self, precision: Precision) -> Bracket:
        """The same bracketed by itself; see ``narrow_power``."""
        if self.closed_form is not None:
            return self.advantage()
        return self._narrow(LargestAdvantage(), precision)

    def auc(self, precision: Precision | None = None) -> Bracket:
        """Area under the receiver operating characteristic; the same for both orders.

        A bracket also where another attack reaches each point of the curve: none has all of the area.
        """
        if self.closed_form is None or not self.is_reached:
            return self._number(lambda pairs: certify(pairs, precision or Precision()).auc(), 0.5, True)
        return Bracket.exact(self.closed_form.area())

    def gaussian_mu(
        self, smallest_alpha: OpenProbability = SMALLEST_ALPHA, precision: Precision | None = None
    ) -> Bracket:
        """Smallest mu for which G_mu lies on or below the curve of both orders.

        For sampled mechanisms only over error rates of ``smallest_alpha`` and above: in the limit mu would be that of
        the unsampled mechanism.
        """
        if smallest_alpha >= 0.5:
            raise ValueError(f"smallest_alpha must be below 1/2, got {smallest_alpha!r}.")
        form = self.closed_form
        if form is None:
            return self._read(lambda loss: loss.gaussian_mu(smallest_alpha), precision)
        if form.gaussian_mu is not None:
            return Bracket.exact(form.gaussian_mu)
        return gaussian_dp.mu_of_formula(lambda alpha: form.trade_off(alpha, Order.SYMMETRIC), smallest_alpha)

    def gaussian_regret(
        self, smallest_alpha: OpenProbability = SMALLEST_ALPHA, precision: Precision | None = None
    ) -> Bracket:
        """How far the curve of both orders may lie above G_mu, for the mu that ``gaussian_mu`` guarantees.

        The regret of reporting that one number (``gaussian_dp``): ``lower`` is from the guarantee's curve, ``upper``
        from the attack's. Over all error rates; only mu itself depends on ``smallest_alpha``.
        """
        mu, form = self.gaussian_mu(smallest_alpha, precision).upper, self.closed_form
        if form is not None and form.gaussian_mu is not None:
            return Bracket.exact(0.0)
        if form is not None:
            return gaussian_dp.regret_of_formula(lambda alpha: form.trade_off(alpha, Order.SYMMETRIC), mu)
        precision, attacked = precision or Precision(), self.reached_pairs
        safe = certify(together(self.pairs), precision).guarantee.corners(Order.SYMMETRIC)
        reached = GUESSING if attacked is None else certify(attacked, precision).attack.corners(Order.SYMMETRIC)
        low, high = (gaussian_dp.regret_of_corners(curve.alpha, curve.beta, mu) for curve in (safe, reached))
        return Bracket.around(low, low + (high - low) / 3.0, max(low, high))

    def statistic(self, precision: Precision | None = None) -> StatisticLaw:
        """Law of the attacker's log-likelihood ratio without and with the record, in about 200 bins.

        Raises ValueError where the two lie so far apart that no law of both is computed.
        """
        law = self.certified(precision).statistic
        if law is None:
            raise ValueError("the evidence with the record lies too far from that without it to be shown on one axis.")
        return law

    def threshold(self, alpha: Probability, order: Order = Order.ADD, precision: Precision | None = None) -> float:
        """The log-likelihood ratio at or above which the add-one test accuses, at false positive rate ``alpha``.

        In the remove-one order that at or below which the test clears, at false negative rate ``alpha``. Raises
        ValueError where there is no law of that ratio (see ``statistic``).
        """
        self.statistic(precision)
        return self.certified(precision).threshold(alpha, order)
