"""The view on one's own sweep of strategies."""
