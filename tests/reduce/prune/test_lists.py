"""Lists under an abstraction: the partition of Anand06 ends, its bug is found, and nothing is called proved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unfork.commands.run.run import Result, run
from unfork.errors import InputError
from unfork.options.options import Options

PARTITION = Path(__file__).parents[3] / "bench" / "programs" / "list_partition.c"


def partitioned(tmp_path: Path, **options: object) -> Result:
    chosen = {"function": "partition", "requires": "acyclic", "prune": "subsume", "abstract": "list", **options}
    fixed = Options(
        libc="none", quiet=True, max_time=120.0, out=str(tmp_path / f"run{options.get('max_objects', 0)}"), **chosen
    )  # type: ignore[arg-type]
    return run([PARTITION], fixed)


@pytest.mark.parametrize("search", ["dfs", "bfs"])
def test_the_fixed_partition_ends(search: str, tmp_path: Path) -> None:
    """The paper has 23 checks, 11 hits and 12 stored states; we look at two states more, and both are covered."""
    result = partitioned(tmp_path, search=(search,))
    counts = result.summary["prunes"]
    assert (counts["checks"], counts["hits"], counts["stored"]) == (25, 13, 12)
    assert counts["under"] == 13
    assert result.verdict == "bounded"
    assert not result.errors


def test_the_bug_is_found_with_two_elements(tmp_path: Path) -> None:
    """A list whose first element is at most v, and whose second, the last, is above it."""
    result = partitioned(tmp_path, define=("BUG",), search=("bfs",))
    (found,) = result.errors
    assert (found.kind, found.function) == ("assert", "partition")
    test = json.loads((result.directory / found.test).read_text())
    values = {one["name"]: one["value"] for one in test["inputs"]}
    assert values["l->elem"] <= values["v"] < values["l->next->elem"]
    assert not any(name.startswith("l->next->next") for name in values)


def test_without_the_abstraction_it_does_not_end(tmp_path: Path) -> None:
    """Each element adds shapes: with a bound on the objects, so many states are stored and none is covered."""
    counts = [partitioned(tmp_path, abstract="none", max_objects=most).summary["prunes"] for most in (2, 4)]
    assert counts[1]["stored"] > 2 * counts[0]["stored"]
    assert counts[1]["hits"] == 0


def test_an_abstraction_is_one_of_covers(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needs --prune subsume"):
        partitioned(tmp_path, prune="interpolate")
