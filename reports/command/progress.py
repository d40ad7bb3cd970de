"""What a long command is doing, on stderr: at once on a terminal, elsewhere when it takes longer than a moment."""

import sys
from dataclasses import dataclass, field
from time import monotonic

PATIENCE = 2.0  # seconds


@dataclass(frozen=True)
class Progress:
    """Tells what is being done.

    Attributes:
        is_quiet: say nothing.
        started: when the command was.
    """

    is_quiet: bool = False
    started: float = field(default_factory=monotonic)

    def __call__(self, doing: str) -> None:
        """Say it, where somebody waits for it."""
        if self.is_quiet or not (sys.stderr.isatty() or monotonic() - self.started > PATIENCE):
            return
        print(f"... {doing}", file=sys.stderr, flush=True)
