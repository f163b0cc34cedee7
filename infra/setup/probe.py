"""Tells a container engine whether a part answers: `python -I -S probe.py PORT PATH` ends with 0 if so."""

import http.client
import sys


def main(port: str, path: str) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=3)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False


if __name__ == "__main__":
    sys.exit(not main(*sys.argv[1:]))
