"""The view on a released statistic."""
