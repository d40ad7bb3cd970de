"""A mechanism is named in its own file alone, so that a new one is a new file and no ``else`` stands for another."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from numerics.mechanisms import MECHANISMS
from tests import ROOT
from tests.test_architecture import nodes, product_files, sources_are_forgotten

__all__ = ["sources_are_forgotten"]
OWN_FILES = {ROOT / f"{kind.__module__.replace('.', '/')}.py" for kind in MECHANISMS}
# "Gaussian" is also the word for the normal law, for privacy that is measured by it, and for paper 004's notion.
OTHER_MEANINGS = re.compile(
    r"gaussian_(mu|regret|membership)|"
    r"Gaussian.?(kernel|mixture|DP|differential|membership|MIP|privacy|one|release of effect)|"
    "logistic regression",
    re.IGNORECASE,
)
NAMED = re.compile("|".join(kind.name for kind in MECHANISMS), re.IGNORECASE)

ALLOWED = {
    "what is imported from the package": ["numerics/__init__.py", "numerics/mechanisms/__init__.py"],
    "theory of one noise, which is all that the paper or the training has": [
        "numerics/membership/estimated_spread.py",
        "numerics/membership/one_swap.py",
        "numerics/banded_noise.py",
        "numerics/gaussian_membership",
        "numerics/training/calibrated.py",
        "numerics/training/record_unknown.py",
        "pages/attackers/noise_for_eta",
        "pages/attackers/final_model.py",
        "pages/ui/threat_models/release.py",
        "pages/attackers/audit/subjects.py",
        "pages/attackers/converters/levels.py",
        "pages/attackers/converters/rows.py",
    ],
    "formulas as printed about one noise, beside what is right": ["numerics/as_quoted.py", "pages/about"],
    "releases that people and papers have published, and the figures of the papers": [
        "numerics/reconstruction/published.py",
        "numerics/relaxed/hypothetical.py",
        "pages/ui/release_presets.py",
        "pages/ui/figure_presets.py",
        "pages/attackers/audit/presets.py",
        "pages/reconstruct/presets.py",
        "pages/reconstruct/same_epsilon.py",
        "pages/papers",
    ],
    "what other accountants print, in their own words": ["pages/ui/accountant_state.py", "pages/ui/pasted_values.py"],
    "the cost of a statistic, with a way of its own for each of three laws, one of which no mechanism has": [
        "numerics/frontier",
        "pages/frontier/statistic",
    ],
}


def names(path: Path) -> Iterator[str]:
    """Identifiers and texts in the source of a file that name a mechanism; docstrings may."""
    told = {id(node.value) for node in nodes(path) if isinstance(node, ast.Expr)}
    for node in nodes(path):
        words = [getattr(node, field, None) for field in ("id", "attr", "name", "arg", "module", "asname")]
        words += [node.value] if isinstance(node, ast.Constant) and id(node) not in told else []
        for word in words:
            if isinstance(word, str) and NAMED.search(OTHER_MEANINGS.sub("", word)):
                yield word


def is_in(path: Path, allowed: str) -> bool:
    return path.is_relative_to(ROOT / allowed)


def test_nothing_else_names_a_mechanism() -> None:
    allowed = [each for reasons in ALLOWED.values() for each in reasons]
    others = [path for path in set(product_files()) - OWN_FILES if not any(is_in(path, each) for each in allowed)]
    found = {str(path.relative_to(ROOT)): list(names(path)) for path in others}
    assert {path: words for path, words in found.items() if words} == {}


def test_what_is_allowed_is_made_use_of() -> None:
    allowed = [each for reasons in ALLOWED.values() for each in reasons]
    users = {each: any(any(names(path)) for path in product_files() if is_in(path, each)) for each in allowed}
    assert [each for each, is_used in users.items() if not is_used] == []


def test_names_are_seen(tmp_path: Path) -> None:
    script = tmp_path / "named.py"
    script.write_text('"""Laplace."""\nlaplace_mu = {"Laplace": mu.GAUSSIAN}\nfrom a.gaussian import FoldedLaplace\n')
    assert set(names(script)) == {"FoldedLaplace", "GAUSSIAN", "Laplace", "a.gaussian", "laplace_mu"}
    script = tmp_path / "other.py"  # what a file holds is read once
    script.write_text('from numerics.gaussian_membership import x\ny = x.gaussian_mu, "Gaussian-DP", "Gaussian DP"\n')
    assert not list(names(script))
