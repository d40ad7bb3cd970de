"""The papers and all corrections to them, from data/corrections.toml."""

import tomllib
from types import MappingProxyType

from numerics.shipped import DATA
from pages.about.correction import Correction, CorrectionKind, PaperNumber

FILE = DATA / "corrections.toml"
_READ = tomllib.loads(FILE.read_text(encoding="utf-8"))

PAPERS = tuple(PaperNumber(**paper) for paper in _READ["papers"])
CORRECTIONS = tuple(Correction(**{**one, "kind": CorrectionKind(one["kind"])}) for one in _READ["corrections"])
BY_NUMBER = MappingProxyType({correction.number: correction for correction in CORRECTIONS})
