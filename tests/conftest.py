"""Fixtures that several rooms share."""

from tests.web.conftest import clip

__all__ = ["clip"]
