"""The import contracts hold, and are not empty words: code that crosses a boundary breaks them."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from shared.settings import CHECKOUT
from tests.architecture.sources import PACKAGES

TRESPASSES = {
    "services/rules/rulesets.py": "import services.accounts.settings",
    "services/accounts/settings.py": "import gateway.routes",
    "services/sessions/domain/log.py": "import sqlalchemy",
    "services/sessions/adapters/rules.py": "import services.sessions.application.play",
    "services/accounts/application/parts.py": "import flask_smorest",
    "gateway/routes.py": "import services.rules.rulesets",
    "gateway/headers.py": "import sqlalchemy",
    "gateway/edge.py": "import gateway.client",
    "gateway/client/contract.py": "import shared.web.problems",
    "shared/settings.py": "import infra.host",
    "infra/redis/acl.py": "import services.rules.settings",
}


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_nobody_crosses_a_boundary() -> None:
    found = lint(CHECKOUT)
    assert found.returncode == 0, found.stdout + found.stderr


def test_every_contract_notices_who_crosses_it(tmp_path: Path) -> None:
    for package in PACKAGES:
        shutil.copytree(CHECKOUT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(CHECKOUT / ".importlinter", tmp_path)
    for name, trespass in TRESPASSES.items():
        module = tmp_path / name
        module.write_text(f"{module.read_text('utf-8')}\n{trespass}\n", encoding="utf-8")
    found = lint(tmp_path)
    assert "0 kept" in found.stdout, found.stdout + found.stderr
