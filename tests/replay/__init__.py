"""Recorded games, which every change of the rules must replay to the same tables."""
