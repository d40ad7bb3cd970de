"""Thrift's compact protocol, in which Parquet writes its summary and the headers of its pages.

Structs become dictionaries by the numbers of their fields. Texts are left out: nobody needs them here.
https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
"""

from typing import Any

Struct = dict[int, Any]

_YES, _NO, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 12
_WHOLE = (4, 5, 6)
_DEEPEST = 16
_LONGEST = 70  # bits of a number, in groups of seven


class Reader:
    """Reads structs from a place in the data on.

    Attributes:
        place: where the next one begins.

    Everything raises ValueError or IndexError where the data holds no such thing.
    """

    def __init__(self, data: memoryview, place: int) -> None:
        self._data, self.place = data, place

    def struct(self, depth: int = 0) -> Struct:
        """The struct that begins here."""
        if depth > _DEEPEST:
            raise ValueError("structs within structs without end")
        fields: Struct = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._whole()
            kind = head & 0x0F
            fields[number] = kind == _YES if kind in (_YES, _NO) else self._value(kind, depth)
        return fields

    def _byte(self) -> int:
        byte = self._data[self.place]
        self.place += 1
        return byte

    def _varint(self) -> int:
        value, shift = 0, 0
        while shift < _LONGEST:
            byte = self._byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
        raise ValueError("a number without end")

    def _whole(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)

    def _value(self, kind: int, depth: int) -> Any:
        if kind in _WHOLE:
            return self._whole()
        if kind == _STRUCT:
            return self.struct(depth + 1)
        if kind in (_LIST, _SET):
            return self._list(depth)
        if kind in (_YES, _NO, _BYTE):
            return self._byte()
        if kind not in (_BINARY, _DOUBLE):
            raise ValueError("a kind of value that Parquet does not have")
        length = self._varint() if kind == _BINARY else 8  # reading it moves the place
        self.place += length
        return None

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        length, kind = head >> 4, head & 0x0F
        if length == 0x0F:
            length = self._varint()
        if length > len(self._data) - self.place or depth >= _DEEPEST:
            raise ValueError("a list longer than the data, or lists without end")
        return [self._value(kind, depth + 1) for _ in range(length)]
