"""What a browser keeps of the messages it gets: large ones, which the server then refers to by their hash."""

from collections.abc import Iterable

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

_AGE = 2  # runs for which a message is kept that none of them needed: Streamlit's global.maxCachedMessageAge


class MessageCache:
    """The large messages of the last runs."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[ForwardMsg, int]] = {}  # by hash, with the run that needed it last
        self._runs = 0

    @property
    def hashes(self) -> Iterable[str]:
        """Of the messages that are kept."""
        return self._kept

    def whole(self, message: ForwardMsg) -> ForwardMsg:
        """The message itself, or the kept one that it refers to."""
        name = message.ref_hash or (message.hash if message.metadata.cacheable else "")
        whole = self._kept[name][0] if message.ref_hash else message
        if name:
            self._kept[name] = whole, self._runs
        return whole

    def end_run(self) -> None:
        """Forget what the last runs did not need."""
        self._runs += 1
        self._kept = {name: kept for name, kept in self._kept.items() if self._runs - kept[1] <= _AGE}
