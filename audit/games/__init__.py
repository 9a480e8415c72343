"""The games: who wins, and what a game forbids. One module a game; every number is in ``audit/data``."""
