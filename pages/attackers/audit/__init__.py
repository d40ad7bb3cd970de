"""The part on audits: attacks that are really run against the release."""
