"""A folder a page, with its script ``page.py``; what several pages use is in ``ui``, of a process in ``server``."""
