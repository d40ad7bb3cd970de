"""Attack scores of one model: how well they tell members from outsiders, by slices and by records."""
