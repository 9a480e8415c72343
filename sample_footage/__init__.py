"""Sample sessions: scripts of rounds with planted errors, rendered to video with the truth beside it."""
