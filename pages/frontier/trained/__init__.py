"""The view on trained models."""
