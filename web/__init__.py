"""The review pages: sign in, the queue of findings, the round with its clip, decisions.

Nothing is loaded from elsewhere.
"""

from web.app import create_app

__all__ = ["create_app"]
