"""A report for a program: one JSON object, whose fields are those of ``AuditReport``.

========== ==================================================================================
software   who made it, with its version
made       when, in UTC
audit      "losses", "attack scores", "canaries" or "runs"
verdict    {"outcome": a few words, "sentences": [...]}
data       {"name", "files": [{"name", "sha256"}], "notes": [...]}; sha256 is null of a table in a database
settings   what must have been chosen before the data were seen for the confidence to hold, by name
rests_on   what has to hold, in sentences
evidence   [{"title", "head", "rows", "note"}]: the report's tables, as text
numbers    the same and more, with all digits; which ones there are depends on ``audit``
figures    what the report's figures show
code       Python that prints the same numbers
========== ==================================================================================

JSON has no number for infinity: it is the text "inf" or "-inf", which Python's ``float`` reads. Text is ASCII with
escapes, so no direction mark of an untrusted name reaches a screen unseen.
"""

import json
from collections.abc import Mapping
from math import isfinite, isnan

from numerics.version import VERSION
from reports.audit_report import AuditReport, plain


def text(report: AuditReport) -> str:
    """The report as JSON; its figures' drawings are left out."""
    content = {
        "software": f"privacy trade-offs {VERSION}",
        "made": report.made,
        "audit": report.kind,
        "verdict": {"outcome": report.outcome, "sentences": [plain(one) for one in report.verdict]},
        "data": {
            "name": report.data.name,
            "files": [{"name": name, "sha256": digest or None} for name, digest in report.data.files],
            "notes": report.data.notes,
        },
        "settings": dict(report.settings),
        "rests_on": report.rests_on,
        "evidence": [
            {"title": part.title, "head": part.head, "rows": part.plain_rows, "note": part.note}
            for part in report.evidence
        ],
        "numbers": report.numbers,
        "figures": [picture.caption for picture in report.pictures],
        "code": report.code,
    }
    return json.dumps(_finite(content), indent=2, allow_nan=False) + "\n"


def _finite(value: object) -> object:
    """The same without numbers that JSON does not have."""
    if isinstance(value, Mapping):
        return {str(key): _finite(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    if isinstance(value, float) and not isfinite(value):
        return None if isnan(value) else str(float(value))
    return value
