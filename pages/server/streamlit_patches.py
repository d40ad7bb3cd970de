"""Replacing parts of a library that have no setting, so that a renewed library fails loudly."""

import sys
from typing import Any

from starlette.formparsers import MultiPartParser


def replace(owner: Any, name: str, replacement: Any) -> Any:
    """Put ``replacement`` in the place of ``owner.name``, and return what stood there.

    Raises:
        RuntimeError: ``owner`` defines nothing of that name. A renewed library would never look at the replacement,
            and what it is to prevent would go on without a word.
    """
    if name not in vars(owner):
        raise RuntimeError(
            f"{owner.__name__}.{name} is to be replaced and is not there: read the installed version's source, and "
            "mend or remove the replacement."
        )
    replaced = vars(owner)[name]
    setattr(owner, name, replacement)
    return replaced


def keep_off_disk() -> None:
    """Have an upload received in memory, whatever its size. Once per process.

    Starlette writes what is over 1 MB to a temporary file while it comes in. The server's own limit bounds the size.
    """
    replace(MultiPartParser, "spool_max_size", sys.maxsize)
