"""Decisions about the log, free of any input or output."""
