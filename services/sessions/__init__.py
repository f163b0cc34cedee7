"""Sessions: what happened at the table, an append-only log per game."""
