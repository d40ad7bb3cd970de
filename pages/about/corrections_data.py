"""The papers and all corrections to them, from data/corrections.toml."""

import tomllib
from types import MappingProxyType
from typing import Any

from numerics.shipped import DATA
from pages.about.correction import Correction, CorrectionKind, PaperNumber, Quotation, Withdrawn

FILE = DATA / "corrections.toml"
_READ = tomllib.loads(FILE.read_text(encoding="utf-8"))


def _entry(one: dict[str, Any]) -> Correction:
    quoted = {name: tuple(Quotation(**quotation) for quotation in one[name]) for name in ("verbatim", "elsewhere")}
    return Correction(**{**one, **quoted, "kind": CorrectionKind(one["kind"])})


PAPERS = tuple(PaperNumber(**paper) for paper in _READ["papers"])
CORRECTIONS = tuple(_entry(one) for one in _READ["corrections"])
BY_NUMBER = MappingProxyType({correction.number: correction for correction in CORRECTIONS})
WITHDRAWN = MappingProxyType({one["number"]: Withdrawn(**one) for one in _READ["withdrawn"]})
