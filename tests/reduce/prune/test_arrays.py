"""Arrays under an abstraction: the partition of Anand06 ends, its bug is found, and nothing is called proved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unfork.commands.run.run import Result, run
from unfork.options.options import Options

PARTITION = Path(__file__).parents[3] / "bench" / "programs" / "array_partition.c"
MARKS = ("unfork_index(lo);", "unfork_index(hi);")


def partitioned(tmp_path: Path, source: Path = PARTITION, **options: object) -> Result:
    chosen = {"function": "partition", "prune": "subsume", "abstract": "array", "merge": "none", **options}
    fixed = Options(libc="none", quiet=True, max_time=120.0, out=str(tmp_path / "run"), **chosen)  # type: ignore[arg-type]
    return run([source], fixed)


@pytest.mark.parametrize(("search", "counts"), [("bfs", (33, 17, 16)), ("dfs", (26, 15, 11))])
def test_the_fixed_partition_ends(search: str, counts: tuple[int, int, int], tmp_path: Path) -> None:
    """The paper has 30 checks, 17 hits and 13 stored states: both orders end near them, for arrays of up to 64."""
    result = partitioned(tmp_path, search=(search,), max_size=256)
    found = result.summary["prunes"]
    assert (found["checks"], found["hits"], found["stored"]) == counts
    assert found["under"] == counts[1]
    assert result.verdict == "bounded"
    assert not result.errors


def test_variables_that_index_are_found_without_marks(tmp_path: Path) -> None:
    text = PARTITION.read_text()
    for mark in MARKS:
        assert mark in text
        text = text.replace(mark, "")
    source = tmp_path / "plain.c"
    source.write_text(text)
    counts = partitioned(tmp_path, source, search=("bfs",), max_size=256).summary["prunes"]
    assert (counts["checks"], counts["hits"], counts["stored"]) == (33, 17, 16)


def test_marks_say_which_variables_matter(tmp_path: Path) -> None:
    """With lo alone, hi interrupts nowhere: cells behind lo are one node, and fewer states differ."""
    source = tmp_path / "one.c"
    source.write_text(PARTITION.read_text().replace(MARKS[1], ""))
    counts = partitioned(tmp_path, source, search=("bfs",), max_size=256).summary["prunes"]
    assert counts["stored"] < 16


def test_the_bug_is_found_with_the_least_array(tmp_path: Path) -> None:
    """Three elements, none above the first, are what the precondition n > 2 lets through; the paper has four."""
    result = partitioned(tmp_path, define=("BUG",), search=("bfs",), max_size=256)
    (found,) = result.errors
    assert (found.kind, found.function) == ("out-of-bounds", "partition")
    test = json.loads((result.directory / found.test).read_text())
    values = {one["name"]: one["value"] for one in test["inputs"]}
    assert values["n"] == 3
    assert max(values["a[1]"], values["a[2]"]) <= values["a[0]"]


def test_without_the_abstraction_it_does_not_end(tmp_path: Path) -> None:
    """Each element adds states: as far as the bound on the array's bytes goes."""
    stored = []
    for elements in (4, 6):
        folder = tmp_path / str(elements)
        folder.mkdir()
        result = partitioned(folder, abstract="none", max_size=4 * elements, search=("bfs",))
        stored.append(result.summary["prunes"]["stored"])
    assert stored[1] > 2 * stored[0]


def test_covers_are_proved_again_as_they_were_abstracted(tmp_path: Path) -> None:
    audit = partitioned(tmp_path, search=("bfs",), max_size=64, audit=True).summary["audit"]
    assert (audit["failed"], audit["unknown"], audit["explored_again"]) == (0, 0, 0)
    assert audit["proved"] > audit["pruned"] == 17
