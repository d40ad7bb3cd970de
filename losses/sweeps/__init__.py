"""Sweeps of strategies to protect a model.

``table`` reads one, ``roles`` says which of its columns holds what, ``samples`` are those that come with the project.
"""
