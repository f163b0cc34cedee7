"""Where a process's figures are read from: its own, or those of all that share a directory with it."""

import os

from prometheus_client import REGISTRY, CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector


def registry() -> CollectorRegistry:
    """The registry to answer `/metrics` from; with PROMETHEUS_MULTIPROC_DIR the one of all workers."""
    directory = os.environ.get("PROMETHEUS_MULTIPROC_DIR")
    if not directory:
        return REGISTRY
    found = CollectorRegistry()
    MultiProcessCollector(found, path=directory)  # type: ignore[no-untyped-call]
    return found
