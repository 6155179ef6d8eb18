"""What the tests cost: CPU seconds of each folder beside its budget in tests/budgets.toml, and the dearest tests.

``python -m bench.suite`` runs all tests in two processes, ``python -m bench.suite tests/commands/verify -k loops``
those that pytest's words choose, and with ``-n 1`` in one. The time is that of the processor, also in the processes
that a test starts and waits for, so it says about the same on a machine that does other things, too. The module is the
plugin of pytest that measures it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.linker import processor_seconds, started

ROOT = Path(__file__).parents[1]
FOLDER = "UNFORK_SUITE_TIMES"
"""The variable of the environment with the folder where each process of pytest writes down what its tests cost."""
DEAREST = 40


def spent() -> float:
    """CPU seconds of this process, of those that it has waited for, and of the one that links its programs."""
    return processor_seconds() + sum(linker.spent for linker in started)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Write down what a test cost, with its fixtures."""
    start = spent()
    yield
    with (Path(os.environ[FOLDER]) / f"{os.getpid()}.txt").open("a") as file:
        file.write(f"{spent() - start:.3f} {item.nodeid}\n")


def measured(words: list[str]) -> tuple[dict[str, float], int]:
    """CPU seconds by test, and the exit status of pytest."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", "-p", "bench.suite", *words]
        status = subprocess.run(command, cwd=ROOT, env=os.environ | {FOLDER: folder}, check=False).returncode
        lines = [line for path in sorted(Path(folder).iterdir()) for line in path.read_text().splitlines()]
    return {name: float(seconds) for seconds, name in (line.split(" ", 1) for line in lines)}, status


def folder_of(test: str) -> str:
    """The folder below tests, or the module if it is in none."""
    return test.partition("::")[0].removeprefix("tests/").partition("/")[0]


def main(words: list[str]) -> int:
    """Run the tests that ``words`` choose and print both tables; the exit status is that of pytest."""
    times, status = measured(words)
    budgets = tomllib.loads((ROOT / "tests" / "budgets.toml").read_text())["seconds"]
    folders = Counter[str]()
    for test, seconds in times.items():
        folders[folder_of(test)] += seconds
    print(f"\n{'folder':32} {'CPU s':>8} {'budget':>8}")
    for folder, seconds in folders.most_common():
        budget = budgets.get(folder, 0)
        print(f"{folder:32} {seconds:8.1f} {budget:8d}{'  over' if seconds > budget else ''}")
    print(f"{'together':32} {sum(folders.values()):8.1f} {sum(budgets.values()):8d}")
    children = os.times()
    print(f"{'with what pytest itself takes':32} {children.children_user + children.children_system:8.1f}\n")
    for test, seconds in Counter(times).most_common(DEAREST):
        print(f"{seconds:8.1f} {test}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
