"""All drawn corrections by number."""

from types import MappingProxyType

from pages.about import comparisons_000, comparisons_001_002, comparisons_003_004

DRAWN = MappingProxyType(
    {one.number: one for one in (*comparisons_000.DRAWN, *comparisons_001_002.DRAWN, *comparisons_003_004.DRAWN)}
)
