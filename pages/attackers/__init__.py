"""The parts of the page that compares attackers on one release."""
