"""Logs and metrics, one format for every process."""
