"""What an installed wheel starts: ``privacy-trade-offs``, the app, and ``privacy-trade-offs audit``, audits of files.

In a wheel this folder holds the app with all its layers but ``numerics``, which other programs import by that name.
"""
