"""All corrections, in the numbering of docs/corrections.md."""

from types import MappingProxyType

from pages.about.corrections_000 import PAPER_000
from pages.about.corrections_001 import PAPER_001
from pages.about.corrections_002 import PAPER_002
from pages.about.corrections_003 import PAPER_003
from pages.about.corrections_004 import PAPER_004

CORRECTIONS = (*PAPER_000, *PAPER_001, *PAPER_002, *PAPER_003, *PAPER_004)
BY_NUMBER = MappingProxyType({correction.number: correction for correction in CORRECTIONS})
