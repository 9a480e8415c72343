"""The review pages."""
