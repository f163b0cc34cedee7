"""Use cases of sessions: each takes what it needs by name."""
