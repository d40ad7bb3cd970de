"""Replacing parts of a library that have no setting, so that a renewed library fails loudly."""

from typing import Any


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
