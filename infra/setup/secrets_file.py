"""Makes `.env` for docker compose from `.env.example`: `python3 secrets_file.py`.

Every secret that the example leaves empty gets a random value; what a present `.env` says is kept, and names
that the example has gained are added. Only the standard library, since it runs before anything is installed.
"""

import os
import secrets
import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]


def name_of(line: str) -> str | None:
    """The name that a line sets, if any."""
    name, equals, _ = line.partition("=")
    return name if equals and not line.startswith("#") else None


def completed(example: str, present: str) -> str:
    """`present`, and what it lacks of `example`, empty values filled with 192 random bits."""
    known = {name_of(line) for line in present.splitlines()}
    lines = present.splitlines()
    for line in example.splitlines():
        name = name_of(line)
        if name in known or (present and name is None):
            continue
        lines.append(f"{line}{secrets.token_urlsafe(24)}" if name and line.endswith("=") else line)
    return "\n".join(lines) + "\n"


def main() -> None:
    target = CHECKOUT / ".env"
    present = target.read_text() if target.exists() else ""
    text = completed((CHECKOUT / ".env.example").read_text(), present)
    if text == present:
        sys.stderr.write("ninety-eight: .env has everything\n")
        return
    draft = target.with_name(".env.new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    draft.replace(target)
    sys.stderr.write("ninety-eight: wrote .env; it holds secrets, keep it to yourself\n")


if __name__ == "__main__":
    main()
