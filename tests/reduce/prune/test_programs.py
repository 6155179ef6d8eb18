"""States are covered in these programs, and nothing is lost: the same errors and branch edges as plain exploration."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.corpus import Expected, read
from tests.support.power import some
from tests.support.runs import edges_of, errors_of, explore
from unfork.commands.run.run import Result

PROGRAMS = [read(path) for path in sorted((Path(__file__).parent / "programs").glob("*.c"))]
ENDLESS = ("endless_fixed", "endless_bug", "idle", "queue_fixed", "queue_bug", "verifier_loop_fixed", "floats_fixed")
"""Plain exploration does not end here; the verdict says enough."""
PLAIN = ("--merge", "none", "--libc", "none")
SEARCHES = ("dfs", "bfs,random-path,random-state")


def covering(program: Expected, out: Path, *options: str) -> Result:
    result = explore(program, out, "--prune", "subsume", *PLAIN, *options)
    assert errors_of(result) == program.errors
    assert result.verdict == program.verdict, result.summary["given_up"]
    assert not result.alarms
    counts = result.summary["prunes"]
    assert counts["checks"] == counts["hits"] + counts["stored"]
    assert counts["hits"] == result.summary["paths"]["pruned"] > 0
    assert counts["under"] == 0
    return result


@pytest.mark.parametrize("program", PROGRAMS, ids=[one.path.stem for one in PROGRAMS])
def test_nothing_is_lost(program: Expected, tmp_path: Path) -> None:
    is_endless = program.path.stem in ENDLESS
    searches = SEARCHES if is_endless else some(SEARCHES, program.name)
    found = [covering(program, tmp_path / str(i), "--search", search) for i, search in enumerate(searches)]
    if is_endless:
        assert len({frozenset(edges_of(one)) for one in found}) == 1
        return
    plain = explore(program, tmp_path / "plain", *PLAIN)
    assert errors_of(plain) == program.errors
    for one in found:
        assert edges_of(one) == edges_of(plain)
        assert one.summary["paths"]["completed"] < plain.summary["paths"]["completed"]


@pytest.mark.parametrize("name", ["toggle_bug", "automaton_bug", "blocks_come_and_go_fixed", "halving"])
def test_covers_are_proved_again(name: str, tmp_path: Path) -> None:
    """With the other solver, on terms that nothing simplified; and some covered states are explored after all."""
    (program,) = [one for one in PROGRAMS if one.path.stem == name]
    audit = covering(program, tmp_path / "run", "--search", "dfs", "--audit").summary["audit"]
    assert audit["failed"] == 0
    assert audit["pruned"] > 0
    assert audit["proved"] > 0


def test_there_are_enough() -> None:
    assert len(PROGRAMS) >= 20
