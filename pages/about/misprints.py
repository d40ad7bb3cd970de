"""All drawn corrections by number."""

from types import MappingProxyType

from pages.about import misprints_000, misprints_001_002, misprints_003_004

DRAWN = MappingProxyType(
    {one.number: one for one in (*misprints_000.DRAWN, *misprints_001_002.DRAWN, *misprints_003_004.DRAWN)}
)
