"""Runs the commands of the bus: `python -m shared.bus`."""

from shared.bus.commands import bus

if __name__ == "__main__":
    bus(prog_name="python -m shared.bus")
