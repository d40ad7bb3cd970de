"""What the page makes of a file once it is confirmed, without its widgets: all that these tests know of pages."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from losses import SAMPLES, ColumnRoles, read_scores, rows_of, training_label
from numerics.epsilon_star import LossScale, Method
from pages.audit.epsilon_star import audits
from pages.audit.epsilon_star.options import Clip, Options
from pages.audit.epsilon_star.report import report
from pages.audit.epsilon_star.source import LossSource
from pages.audit.labelled_scores import LabelledScores
from reports.audit_report import AuditReport


def scores_on_the_page(path: Path) -> LabelledScores:
    """A file with the columns score and member."""
    data = path.read_bytes()
    table = read_scores(data)
    membership = training_label(table.labels[0].name, table.labels[0].labels)
    assert membership is not None
    python = (
        "from losses import ColumnRoles, read_scores, rows_of\n\n"
        f"rows = rows_of(read_scores(open({path.name!r}, 'rb').read()), ColumnRoles(value='score', group='member', "
        "member='1'), drop=False, negate=False)\nvalues, is_in = rows.values, rows.is_in"
    )
    rows = rows_of(table, ColumnRoles("score", "member", "1"))
    digests = ((path.name, sha256(data).hexdigest()),)
    return LabelledScores(("key",), path.name, rows, digests, membership, False, python)


def losses_on_the_page(path: Path) -> AuditReport:
    """The first sample, which lies at ``path``."""
    sample = SAMPLES[0]
    options = Options(Method.PARAMETRIC, Clip.NONE, None, scale=LossScale.LOG_ODDS)
    source = LossSource(("s",), path.name, sample.groups, "", files=((path.name, sample.digest),))
    source = replace(source, membership=sample.membership)
    return report(source, audits.of_groups(sample.groups(), options, has_null=False), None)
