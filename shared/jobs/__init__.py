"""Celery as this project uses it."""
