"""A promise held against measurements: of one run with canaries, or of many with and without a record."""
