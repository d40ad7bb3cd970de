"""All drawn corrections by number."""

from types import MappingProxyType

from pages.explaining import drawn_000, drawn_001_002, drawn_003_004

DRAWN = MappingProxyType({one.number: one for one in (*drawn_000.DRAWN, *drawn_001_002.DRAWN, *drawn_003_004.DRAWN)})
