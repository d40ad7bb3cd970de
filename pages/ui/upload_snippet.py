"""Python that reads a file as it was read here."""

from losses.layout import NOTHING
from pages.ui.upload_reading import Upload
from reports import python_code

python = python_code.readers


def opened(reader: str, upload: Upload) -> str:
    """The Python expression that reads a file as it was read here."""
    return python_code.opened(reader, upload.name, upload.known)


def imports(*files: Upload) -> tuple[str, ...]:
    """What else is to be imported to read ``files``."""
    return ("KnownLayout",) if any(upload.known != NOTHING for upload in files) else ()
