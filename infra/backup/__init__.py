"""Copies of everything that cannot be made again: both databases and the keys that sign tokens."""
