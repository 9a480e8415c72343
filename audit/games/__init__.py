"""The games: one module each. Only these modules know who wins."""
