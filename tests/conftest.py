"""Settings shared by all tests."""

from hypothesis import settings

# The same examples on every run and machine: a failure can always be repeated, and none depends on the clock.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
# Other examples on every run, to look for failures: pytest --hypothesis-profile=searching
settings.register_profile("searching", derandomize=False, database=None, deadline=None)
settings.load_profile("repeatable")
