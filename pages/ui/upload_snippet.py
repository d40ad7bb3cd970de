"""Python that reads a file as it was read here."""

from collections.abc import Sequence
from dataclasses import fields

from losses.corrections import NOTHING
from pages.ui.upload_reading import Upload


def python(names: Sequence[str], *lines: str) -> str:
    """Python that imports ``names`` from the readers, and then says ``lines``."""
    return "\n".join((f"from losses import {', '.join(sorted(names))}", "", *lines))


def opened(reader: str, upload: Upload) -> str:
    """The Python expression that reads a file as it was read here."""
    known = ", ".join(
        f"{field.name}={value!r}"
        for field in fields(upload.known)
        if (value := getattr(upload.known, field.name)) is not None
    )
    return f"{reader}(open({upload.name!r}, 'rb').read(){f', known=Corrections({known})' if known else ''})"


def corrections(*files: Upload) -> tuple[str, ...]:
    """What else is to be imported to read ``files``."""
    return ("Corrections",) if any(upload.known != NOTHING for upload in files) else ()
