"""The figures of the papers that the tool draws anew: what they show, where, and a small picture of each."""
