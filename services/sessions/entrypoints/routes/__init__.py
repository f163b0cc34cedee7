"""Routes of sessions beside those of games, one module for each part of the contract."""
