"""The command line `ninety8`: the API for people at a terminal, and for scripts with `--json`."""

from gateway.client.cli.app import main

__all__ = ["main"]
