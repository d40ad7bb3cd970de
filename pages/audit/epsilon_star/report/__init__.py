"""The report of an audit to hand in."""
