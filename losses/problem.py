"""The one kind of error of this layer."""


class TableError(ValueError):
    """A table of losses cannot be used. The message says what is wrong, where, and what to do."""
