"""The release in force as a JSON file, which the rail's box reads again."""

from numerics.release_file import ReleaseFile
from pages.ui.release_choice import ReleaseChoice
from pages.ui.training_run import delta_of


def text(choice: ReleaseChoice) -> str:
    """The release and its sizes; delta where it does not follow from the records."""
    said = None if choice.delta == delta_of(choice.records) else choice.delta
    return ReleaseFile(choice.mechanism.phases, said, choice.records, choice.dimension, choice.clip).text
