"""The home page: the answer for the release in force, and the doors to the pages."""
