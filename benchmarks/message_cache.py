"""What a browser keeps of the messages it gets: large ones, which the server then refers to by their hash.

As ``WebsocketConnection``'s cache in Streamlit 1.67: a run of a part of the page ages that part's messages alone, and a
run that was broken off ages none. A client that forgot earlier would be sent references to what it no longer has.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.upload import VisitError

_AGE = 2  # runs for which a message is kept that none of them needed: Streamlit's global.maxCachedMessageAge


@dataclass
class _Kept:
    message: ForwardMsg
    run: int  # that needed it last
    part: str  # of the page that it belongs to, which may run by itself


class MessageCache:
    """The large messages of the last runs."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}  # by hash
        self._runs = 0

    @property
    def hashes(self) -> Iterable[str]:
        """Of the messages that are kept."""
        return self._kept

    def whole(self, message: ForwardMsg) -> ForwardMsg:
        """The message itself, or the kept one that it refers to.

        Raises VisitError where there is none: a browser would show its visitor an error.
        """
        name = message.ref_hash or (message.hash if message.metadata.cacheable else "")
        if message.ref_hash and name not in self._kept:
            raise VisitError("The server referred to a message that this browser does not have.")
        if name:
            self._kept.setdefault(name, _Kept(message, 0, message.delta.fragment_id)).run = self._runs
        return self._kept[name].message if message.ref_hash else message

    def end_run(self, finished: ForwardMsg) -> None:
        """Forget what the last runs did not need; ``finished`` says that one has ended, and how."""
        run = finished.metadata.run
        if finished.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN or not run.script_run_id:
            return
        self._runs += 1
        parts = set(run.fragment_ids)
        self._kept = {
            name: kept
            for name, kept in self._kept.items()
            if self._runs - kept.run <= _AGE or (parts and kept.part not in parts)
        }
