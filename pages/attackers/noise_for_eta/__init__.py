"""The part on the noise that a wanted eta takes, on data small enough for the exact answer."""
