"""Ports for servers that start at once, of one process and of several."""

import subprocess
import sys

from infra.host.ports import FIRST, LAST, free_port

CHOOSE = """
from infra.host.ports import free_port
print(*(free_port() for _ in range(40)))
"""


def test_processes_that_choose_at_once_do_not_choose_the_same_before_anybody_listens() -> None:
    started = [subprocess.Popen([sys.executable, "-c", CHOOSE], stdout=subprocess.PIPE) for _ in range(6)]
    chosen = [{int(port) for port in process.communicate(timeout=30)[0].split()} for process in started]
    assert len(set().union(*chosen)) == sum(map(len, chosen)) == 240


def test_a_process_that_has_used_up_its_own_goes_on_among_all_others() -> None:
    given = {free_port() for _ in range(150)}
    assert len(given) == 150
    assert all(FIRST <= port <= LAST for port in given)
