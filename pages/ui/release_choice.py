"""What the rail says: a release, and how it is looked at."""

from dataclasses import dataclass, field

from numerics.mechanisms import Mechanism
from numerics.trade_off import Order
from pages.ui.numbers_in_words import CROWD
from pages.ui.training_run import TrainingRun, described

DEFAULT_LIMIT = 20.0  # people of a crowd


@dataclass(frozen=True)
class ReleaseChoice:
    """What the controls say in this run.

    Attributes:
        mechanism: the release.
        alpha: the false positive rate at which the attack is looked at.
        order: which of two neighbouring data sets is the null hypothesis.
        delta: the delta at which epsilon is stated.
        limit: the share of members found that the visitor accepts, at most.
        records: size of the data set (N); None where nobody has said it, as below.
        dimension: of the released sum (d).
        clip: the clipping norm (C).
        run: what the visitor said; None where rate and steps were entered. The choice is the same in either words.
    """

    mechanism: Mechanism
    alpha: float
    order: Order
    delta: float
    limit: float = DEFAULT_LIMIT / CROWD
    records: int | None = None
    dimension: int | None = None
    clip: float | None = None
    run: TrainingRun | None = field(default=None, compare=False)

    @property
    def words(self) -> str:
        """The release as it was entered: who said people, batches and epochs knows no rate."""
        return described(self.mechanism, self.run)
