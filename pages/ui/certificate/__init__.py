"""The privacy certificate of a release: what it promises against whom, as one file to hand in."""
