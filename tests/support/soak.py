"""Owns how much of what never ends the tests do: little by default, more for `make soak`."""

import os

# The same networks again are as bad to containers: a few show that nothing depends on the target.
SEEDS = int(os.environ.get("SOAK_SEEDS", "4" if os.environ.get("TARGET") == "containers" else "20"))
LISTENERS = int(os.environ.get("SOAK_LISTENERS", "100"))
