"""The part that converts one number of privacy to the others."""
