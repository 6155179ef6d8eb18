"""The strategy that takes loops for any number of turns ends a race with a proof, and with nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.runs import errors_of, explore, written
from unfork.commands.run import driver, race
from unfork.commands.run.run import Result

ENDLESS = """
unsigned waiting = 0, served = 0, arrived = 0;
for (;;) {
    unsigned char event;
    unfork_symbolic(&event, 1, "event");
    if (event == 1) { arrived++; waiting++; }
    else if (event == 2 && waiting > 0) { served++; waiting--; }
    else if (event == 3) break;
    assert(waiting + served == arrived);
}
"""
NEEDS_ITS_TURNS = """
unsigned char wanted;
unsigned number = 1, met = 0;
unfork_symbolic(&wanted, 1, "wanted");
for (int i = 0; i < 40; i++) {
    number = (number * 5 + 1) % 64;
    if (wanted == i) met++;
}
assert(number == 57);
"""
LATE = """
unsigned number = 0;
for (;;) {
    unsigned char step;
    unfork_symbolic(&step, 1, "step");
    if (step == 1) number++;
    if (step == 2) break;
    assert(number < 12);
}
"""


@pytest.fixture(autouse=True)
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """All strategies begin soon, so that small programs are raced too."""
    monkeypatch.setattr(race, "FIRST", 2_000)
    monkeypatch.setattr(race, "STUCK", -1)
    monkeypatch.setattr(driver, "LONG", 4_000)


def ran(body: str, folder: Path, *words: str) -> tuple[Result, dict[str, object]]:
    """A run without a strategy, and what `prove` came to in it."""
    head = '#include <assert.h>\n#include "unfork.h"\n'
    file = written(f"{head}int main(void) {{{body}return 0;\n}}\n", folder, "p.c")
    result = explore(file, folder / "run", "--max-time", "120", *words)
    standing = next((each for each in result.summary["strategies"] if each["name"] == "prove"), {})
    return result, standing


def test_a_proof_ends_a_run_that_no_exploration_of_paths_would(tmp_path: Path) -> None:
    result, prove = ran(ENDLESS, tmp_path)
    assert result.verdict == "safe"
    assert prove["ended"]
    assert not result.waiting


def test_its_alarms_are_nobody_elses(tmp_path: Path) -> None:
    result, prove = ran(NEEDS_ITS_TURNS, tmp_path, "--strategy", "plain,prove")
    assert result.verdict == "safe"
    assert not result.alarms
    assert not prove["ended"]
    assert prove["stopped_by"] in ("alarm", None)


def test_alone_its_alarms_are_alarms(tmp_path: Path) -> None:
    result, _ = ran(NEEDS_ITS_TURNS, tmp_path, "--strategy", "prove")
    assert result.verdict == "unknown"
    assert result.alarms


def test_an_error_is_replayed_whoever_found_it(tmp_path: Path) -> None:
    result, _ = ran(LATE, tmp_path, "--stop-at", "assert")
    assert result.verdict == "unsafe"
    assert {kind for kind, _, _ in errors_of(result)} == {"assert"}
    assert all(error.replayed for error in result.errors)
