"""Logs and metrics, alike in every process."""
