"""The parts of the page on which audits are made: a folder for each kind of evidence."""
