"""Containers: right natively, and explored by sequences of calls, the same with and without matching of states."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.power import some
from tests.support.runs import errors_of, explore
from unfork.cli import main
from unfork.commands.run.run import Result

CONTAINERS = Path(__file__).parents[3] / "bench" / "programs" / "containers"
NATIVE = [("list_set", "LIST"), ("tree_map", "TREE"), ("binomial_heap", "BINOMIAL"), ("fibonacci_heap", "FIBONACCI")]
NATIVE += [("hash_table", "HASH")]
LIST = ("--calls", "list_add,list_remove,list_contains")
TREE = ("--calls", "tree_put,tree_remove,tree_get")
MATCHED = ("--prune", "subsume")


def sequences(source: Path, out: Path, *options: str) -> Result:
    """The sequences of calls, each on its own."""
    return explore(source, out, "--libc", "none", *options, "--merge", "none")


@pytest.mark.parametrize(("name", "define"), NATIVE, ids=[name for name, _ in NATIVE])
@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc")
def test_containers_do_natively_what_they_should(name: str, define: str, tmp_path: Path) -> None:
    program = tmp_path / name
    flags = ["-g", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", "-fno-sanitize-recover"]
    subprocess.run(["gcc", *flags, f"-D{define}", str(CONTAINERS / "drive.c"), "-o", str(program)], check=True)
    subprocess.run([str(program), "random", "20000", "24"], check=True)
    subprocess.run([str(program), "all", "3", "3"], check=True)


@pytest.mark.parametrize("search", some(["bfs", "dfs"], "matching", 1))
def test_matching_loses_no_branch_and_no_sequence_that_matters(search: str, tmp_path: Path) -> None:
    calls = (*LIST, "--max-calls", "3", "-D", "NDEBUG", "-D", "PREDICATES", "--search", search)
    whole = sequences(CONTAINERS / "list_set.c", tmp_path / "whole", *calls)
    matched = sequences(CONTAINERS / "list_set.c", tmp_path / "matched", *calls, *MATCHED, "--audit")
    for result in (whole, matched):
        assert result.verdict == "bounded"
        assert result.summary["exhausted"]
    assert whole.summary["coverage"]["goals"] == matched.summary["coverage"]["goals"]
    assert len(whole.summary["coverage"]["goals"]) > 20
    assert matched.summary["prunes"]["hits"] > 10
    assert matched.summary["prunes"]["under"] == 0
    assert matched.summary["audit"]["failed"] == 0
    assert 2 * matched.summary["paths"]["completed"] < whole.summary["paths"]["completed"]


def test_more_calls_left_cover_fewer(tmp_path: Path) -> None:
    """What one call has built, and two calls build again, is explored once: so twice the calls cost little more."""
    stored = [
        sequences(CONTAINERS / "list_set.c", tmp_path / str(most), *LIST, "--max-calls", str(most), *MATCHED).summary[
            "prunes"
        ]["stored"]
        for most in (2, 4)
    ]
    assert stored[1] <= 3 * stored[0]


def test_a_broken_tree_is_found_with_a_sequence_that_breaks_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (CONTAINERS / "tree_map.c").read_text()
    broken = text.replace("above->is_red = true;\n    rotate(t, above, !side);", "rotate(t, above, !side);")
    assert broken != text
    source = tmp_path / "broken.c"
    source.write_text(broken)
    shutil.copy(CONTAINERS / "seen.h", tmp_path)
    calls = (*TREE, "--max-calls", "3", "--search", "bfs", "--max-errors", "1", "--formats", "c")
    result = sequences(source, tmp_path / "run", *calls, *MATCHED)
    line = next(number for number, one in enumerate(broken.splitlines(), 1) if "assert(" in one)
    [(kind, file, found)] = errors_of(result)
    assert (kind, file) == ("assert", "broken.c")
    assert found == line
    test = (result.directory / result.errors[0].test).with_suffix(".c").read_text()
    assert test.rpartition("int main(void) {")[2].count("tree_put(container, ") == 3
    if shutil.which("gcc") is not None:
        assert main(["replay", str(result.directory), "--native", "--unenclosed"]) == 0
        assert "as expected" in capsys.readouterr().out


TABLE = """
#include "unfork.h"
#include <stdlib.h>
struct table { int *cells[4]; };
void put(struct table *t, unsigned char key) {
  if (!t->cells[key & 3]) t->cells[key & 3] = calloc(1, sizeof(int));
}
void drop(struct table *t, unsigned char key) {
  free(t->cells[key & 3]);
  t->cells[key & 3] = NULL;
}
int all(struct table *t) {
  int count = 0;
  for (int i = 0; i < 4; i++) count += t->cells[i] != NULL;
  if (count == 3) unfork_cover(-3);
  return count;
}
"""


def test_addresses_at_symbolic_places_are_settled_between_calls(tmp_path: Path) -> None:
    source = tmp_path / "table.c"
    source.write_text(TABLE)
    result = sequences(
        source, tmp_path / "run", "--calls", "put,drop,all", "--max-calls", "4", *MATCHED, "--search", "bfs"
    )
    assert result.summary["exhausted"]
    assert result.summary["coverage"]["goals"] == [-3]
    assert result.summary["prunes"]["stored"] <= 17  # subsets of four cells; the empty one before and after
    assert "symbolic addresses" not in result.summary["prunes"]["refused"]
