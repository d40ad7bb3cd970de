"""What visits of the page that measures a model share in tests."""

from collections.abc import Iterator

import numpy as np
import pytest

from numerics.epsilon_star.permutation import shuffled
from pages.audit.epsilon_star import audits


@pytest.fixture(scope="session", autouse=True)
def _the_same_losses_are_shuffled_once() -> Iterator[None]:
    """A visitor's results stay in his session: every test would compute them anew, of the same few samples."""
    kept = dict[tuple[object, ...], list[object]]()

    def once(train: np.ndarray, population: np.ndarray, *rest: object) -> list[object]:
        key = (train.tobytes(), population.tobytes(), *rest)
        if key not in kept:
            kept[key] = list(shuffled(train, population, *rest))  # type: ignore[arg-type] # its own
        return kept[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(audits, "shuffled", once)
        yield
