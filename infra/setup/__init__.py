"""Prepares a checkout with nothing but Python: the virtual environment, the settings of containers."""
