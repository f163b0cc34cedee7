"""Owns how much of what never ends the tests do: little by default, more for `make soak`."""

import os

SEEDS = int(os.environ.get("SOAK_SEEDS", "20"))
LISTENERS = int(os.environ.get("SOAK_LISTENERS", "100"))
