"""Settings shared by all tests."""

import os
import sys

from hypothesis import settings
from hypothesis.internal.conjecture import providers

# One thread for linear algebra in each process: the workers fill the cores, and threads that wait for each other there
# burn as much time again. It also makes sums come out the same on every number of cores. NumPy reads it at its import.
assert "numpy" not in sys.modules, "NumPy was loaded before its number of threads was set."
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

# The same examples on every run and machine: a failure can always be repeated, and none depends on the clock.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
# Other examples on every run, to look for failures: pytest --hypothesis-profile=searching
settings.register_profile("searching", derandomize=False, database=None, deadline=None)
settings.load_profile("repeatable")

# Hypothesis also draws constants from the modules that happen to be loaded. Which these are depends on the tests that a
# worker ran before, so the same test would see other examples in other runs. There is no public setting for it.
assert hasattr(providers, "is_local_module_file"), "Hypothesis has moved its search for constants."
providers.is_local_module_file = lambda path: False
