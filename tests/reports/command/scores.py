"""Scores of an attack that finds members."""

import numpy as np

RNG = np.random.default_rng(5)
ROWS = [f"{RNG.normal() + 3.0 * (row < 500):.6f},{int(row < 500)}" for row in range(1000)]
