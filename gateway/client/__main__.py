"""`python -m gateway.client`: the command line `ninety8`."""

from gateway.client.cli import main

if __name__ == "__main__":
    main(prog_name="ninety8")
