"""Procedure checks: what the written procedure says against what was observed."""
