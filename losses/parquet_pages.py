"""How large the pages of a Parquet file become when they are decoded: read off their headers, before anything is.

The file's own summary may say anything; the decoder believes the pages. Headers are Thrift's compact protocol, as in
https://github.com/apache/parquet-format: a struct whose second and third fields are the page's size, unpacked and
packed.
"""

_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _STRUCT = 1, 2, 3, 7, 8, 12
_WHOLE = (4, 5, 6)
_DEEPEST = 8
_SIZE, _PACKED_SIZE = 2, 3


class _Header:
    """One header, read from a place in the file on. Raises ValueError or IndexError where there is none."""

    def __init__(self, data: memoryview, place: int) -> None:
        self.data, self.place = data, place
        self.sizes: dict[int, int] = {}
        self._struct(0)

    def _varint(self) -> int:
        value, shift = 0, 0
        while shift < 70:
            byte = self.data[self.place]
            self.place += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
        raise ValueError("a number without end")

    def _whole(self) -> int:
        value = self._varint()
        return (value >> 1) ^ -(value & 1)

    def _struct(self, depth: int) -> None:
        if depth > _DEEPEST:
            raise ValueError("structs without end")
        field = 0
        while kind := self.data[self.place]:
            self.place += 1
            field = field + (kind >> 4) if kind >> 4 else self._whole()
            kind &= 0x0F
            if depth == 0 and field in (_SIZE, _PACKED_SIZE) and kind in _WHOLE:
                self.sizes[field] = self._whole()
            elif kind not in (_TRUE, _FALSE):  # their value is the kind
                self._skip(kind, depth)
        self.place += 1

    def _skip(self, kind: int, depth: int) -> None:
        if kind in _WHOLE:
            self._varint()
        elif kind in (_TRUE, _FALSE, _BYTE):
            self.place += 1
        elif kind == _DOUBLE:
            self.place += 8
        elif kind == _BINARY:
            length = self._varint()
            self.place += length
        elif kind == _STRUCT:
            self._struct(depth + 1)
        else:  # page headers have no lists and no maps
            raise ValueError("no page header")


def unpacked_sizes(data: memoryview, start: int, length: int, most: int) -> list[int]:
    """Sizes in bytes of the pages between ``start`` and ``start + length``, decoded.

    Raises:
        ValueError: there are no whole pages, or more than ``most``.
    """
    sizes: list[int] = []
    place, end = start, start + length
    if start < 0 or length < 0 or end > len(data):
        raise ValueError("pages outside the file")
    while place < end:
        try:
            header = _Header(data, place)
        except IndexError:
            raise ValueError("a page header that is cut off") from None
        size, packed = (header.sizes.get(field, -1) for field in (_SIZE, _PACKED_SIZE))
        if size < 0 or packed < 0 or len(sizes) >= most:
            raise ValueError("pages without sizes, or too many of them")
        sizes.append(size)
        place = header.place + packed
    return sizes
