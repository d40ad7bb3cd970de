"""The attackers of the papers, and what each of them sees of a release."""
