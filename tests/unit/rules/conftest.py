"""Owns how the property tests of the rules run: without a clock, since a busy machine is not a failure."""

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
