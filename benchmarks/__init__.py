"""Time and accuracy beside other tools, measured on the machine that runs it: ``python -m benchmarks``."""
