"""What the rail says: a release, how it is looked at, and the run that it was entered as."""

from dataclasses import dataclass, field

from numerics.mechanisms import Mechanism, SampledMechanism
from numerics.release_file import ReleaseFile
from numerics.trade_off import Order
from pages.ui.numbers_in_words import CROWD
from pages.ui.training_run import TrainingRun, delta_of

NOISES, DELTAS, CLIPS = (1e-3, 1e3), (1e-12, 0.1), (1e-6, 1e6)
PEOPLE, BATCHES, EPOCHS = (1.0, 1e9), (1e-6, 1e9), (1e-6, 1e9)
"""The least and the most that the controls have."""
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
        release, run = self.mechanism, self.run
        if len(release.phases) > 1:
            return "; ".join(f"Phase {number}: {phase.label}" for number, phase in enumerate(release.phases, 1))
        if run is None or not isinstance(release, SampledMechanism) or not release.is_sampled:
            return release.label
        batches = release.sampling.batches.suffix if release.sampling_rate < 1.0 else ""
        words = run.words if release.records_per_person == 1 else run.in_records(release.records_per_person)
        return f"{release.name} {release.noise_words}, {words}{batches}"

    def exported(self) -> str:
        """A JSON file that the rail's box reads again: the release, its sizes, and delta unless the records say it."""
        said = None if self.delta == delta_of(self.records) else self.delta
        return ReleaseFile(self.mechanism.phases, said, self.records, self.dimension, self.clip).text
