"""The version of this software."""

VERSION = "0.1.0"  # the newest entry of CHANGELOG.md
