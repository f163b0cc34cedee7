"""Runs the whole system on one machine: real servers from wheels, every process, supervised (`make run`)."""
