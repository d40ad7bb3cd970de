"""Every package the app runs with has a licence that somebody looked at, and docs/licences.md lists it."""

import pytest

from docs.make_licences import kind, locked, page
from tests import ROOT

LISTED = (ROOT / "docs" / "licences.md").read_text()


def test_the_list_is_what_the_locked_packages_state() -> None:
    assert page() == LISTED
    assert len(locked()) == LISTED.count("permissive |") + LISTED.count("weak copyleft |")


def test_a_licence_nobody_looked_at_is_refused() -> None:
    assert kind("MIT OR MPL-2.0") == "weak copyleft"
    for unknown in ("GPL-3.0-only", "MIT AND AGPL-3.0-only", "UNKNOWN"):
        with pytest.raises(ValueError, match="must be a known one"):
            kind(unknown)
