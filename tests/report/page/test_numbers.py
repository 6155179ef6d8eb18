"""Every number of the page is one of summary.json or of run.db."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.report.page.pages import data_of
from tests.support.runs import explore, written

RUNS = ("regexp", "joined", "learnt")


@pytest.fixture(params=RUNS)
def root(request: pytest.FixtureRequest) -> Path:
    found = request.getfixturevalue(request.param)
    assert isinstance(found, Path)
    return found


def _as_kept(value: Any) -> Any:
    """Data of the summary as a page holds it: integers that are too large for it are text."""
    if isinstance(value, dict):
        return {key: _as_kept(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_as_kept(each) for each in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 1 << 53:
        return str(value)
    return value


def test_the_summary_is_there_as_it_is(root: Path) -> None:
    assert data_of(root)["summary"] == _as_kept(json.loads((root / "summary.json").read_text()))


def test_totals_are_those_of_the_tables(root: Path) -> None:
    data = data_of(root)
    with sqlite3.connect(root / "run.db") as database:
        assert data["totals"]["states"] == database.execute("SELECT COUNT(*) FROM states").fetchone()[0]
        ends = dict(database.execute("SELECT ended, COUNT(*) FROM states GROUP BY ended"))
    assert dict(data["totals"]["ends"]) == ends
    graph = data["graph"]
    drawn = Counter(graph["ends"][end] for end in graph["end"])
    del drawn["forked"]
    assert drawn == ends


def test_figures_of_lines_add_up_to_the_tables(root: Path) -> None:
    data = data_of(root)
    told: Counter[tuple[str, int, str]] = Counter()
    for number, lines in data["lines"].items():
        name = data["files"][int(number)]["name"]
        for line, figures in lines.items():
            for key in ("forks", "born", "joins", "covers", "queries"):
                told[name, int(line), key] += figures.get(key, 0)
            told[name, int(line), "sides"] += len(figures.get("sides", ()))
            told[name, int(line), "taken"] += sum(side[3] for side in figures.get("sides", ()))
            told[name, int(line), "refused"] += sum(count for _, count in figures.get("refused", ()))
            told[name, int(line), "ends"] += sum(count for _, count in figures.get("ends", ()))
            told[name, int(line), "microseconds"] += round(figures.get("seconds", 0) * 1e6)
    kept: Counter[tuple[str, int, str]] = Counter()
    with sqlite3.connect(root / "run.db") as database:
        for key, query in (
            ("forks", "SELECT file, line, COUNT(*) FROM forked"),
            ("born", "SELECT file, line, COUNT(*) FROM forks"),
            ("joins", "SELECT file, line, COUNT(DISTINCT child) FROM joins"),
            ("covers", "SELECT file, line, SUM(ended = 'covered') FROM states"),
            ("ends", "SELECT file, line, SUM(ended NOT IN ('covered', 'joined')) FROM states"),
            ("sides", "SELECT file, line, COUNT(*) FROM coverage"),
            ("taken", "SELECT file, line, SUM(covered) FROM coverage"),
            ("queries", "SELECT file, line, SUM(queries) FROM query_places"),
            ("microseconds", "SELECT file, line, SUM(CAST(ROUND(seconds * 1e6) AS INTEGER)) FROM query_places"),
            ("refused", "SELECT file, line, SUM(count) FROM refusals"),
        ):
            for file, line, count in database.execute(f"{query} WHERE file IS NOT NULL GROUP BY file, line"):
                kept[file, line, key] += count
    assert +told == +kept


def test_functions_are_covered_as_the_table_says(root: Path) -> None:
    data = data_of(root)
    with sqlite3.connect(root / "run.db") as database:
        rows = database.execute("SELECT function, SUM(covered), COUNT(*) FROM coverage GROUP BY function")
        kept = {name: (covered, sides) for name, covered, sides in rows}
    shown = {name: (covered, sides) for name, _, _, covered, sides in data["functions"]}
    assert {name: covered for name, (covered, _) in shown.items() if covered} == {
        name: covered for name, (covered, _) in kept.items() if covered
    }
    assert all(shown[name][1] >= sides for name, (_, sides) in kept.items())
    branches = data["summary"]["coverage"]["branches"]
    assert sum(covered for covered, _ in shown.values()) == branches["covered"]
    assert sum(sides for _, sides in shown.values()) == branches["total"]


INLINED = """\
#include "unfork.h"
#include "clip.h"
int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  return clip(x) == 4;
}
"""
CLIP = """\
static inline __attribute__((always_inline)) int clip(int value) {




  if (value > 9)
    return 9;
  return value > 3 ? value : 3;
}
"""


def test_a_function_is_where_it_is_written_whatever_is_inlined_there(tmp_path: Path) -> None:
    (tmp_path / "clip.h").write_text(CLIP)
    explore(written(INLINED, tmp_path), tmp_path / "run", "--native-check", "never", "-I", str(tmp_path))
    data = data_of(tmp_path / "run")
    places = {name: (Path(data["files"][file]["name"]).name, line) for name, file, line, _, _ in data["functions"]}
    assert places["main"] == ("program.c", 3)


def test_states_are_those_of_the_tables(root: Path) -> None:
    graph = data_of(root)["graph"]
    places = data_of(root)["places"]
    files = data_of(root)["files"]
    with sqlite3.connect(root / "run.db") as database:
        rows = {row[0]: row[1:] for row in database.execute("SELECT * FROM states")}
        forks = list(database.execute("SELECT parent, child FROM forks"))
        joins = list(database.execute("SELECT parent, child FROM joins"))
        covers = database.execute("SELECT id, coverer FROM prunes ORDER BY rowid").fetchall()
        origins = dict(database.execute("SELECT name, state FROM tests"))
    at = {node: place for place, node in enumerate(graph["id"])}
    assert set(at) == {*rows, *(node for edge in (*forks, *joins) for node in edge)}
    for node, (ended, _, file, line, _, instructions, depth, multiplicity, test) in rows.items():
        place = at[node]
        assert graph["ends"][graph["end"][place]] == ended
        assert int(graph["stands"][place]) == multiplicity
        assert (graph["instructions"][place], graph["depth"][place]) == (instructions, depth)
        assert (graph["tests"][graph["test"][place]] or None) == test
        number, shown_line, _ = places[graph["place"][place]]
        assert (files[number]["name"], shown_line) == (file, line) or file is None
    parents = {graph["id"][place]: graph["id"][place - back] for place, back in enumerate(graph["parent"]) if back}
    bridges = {
        (graph["id"][a], graph["id"][b]) for a, b in zip(graph["bridges"][::2], graph["bridges"][1::2], strict=True)
    }
    assert {(parent, child) for child, parent in parents.items()} | bridges == {*forks, *joins}
    assert [(graph["id"][row[0]], row[2]) for row in graph["covers"]] == covers
    assert {name: graph["id"][place] for name, place in graph["origins"].items()} == origins


def test_findings_and_tests_are_those_of_the_directory(root: Path) -> None:
    data = data_of(root)
    summary = json.loads((root / "summary.json").read_text())
    assert len(data["findings"]) == len(summary["errors"]) + len(summary["alarms"])
    for shown, kept in zip(data["findings"], summary["errors"], strict=True):
        number, line, _ = data["places"][shown["place"]]
        assert (data["files"][number]["name"], line) == (kept["file"], kept["line"])
        assert (shown["kind"], shown["message"], shown["test"]) == (kept["kind"], kept["message"], kept["test"])
    assert len(data["tests"]) == summary["tests"] == len(list((root / "tests").glob("*.json")))
    for test in data["tests"]:
        kept = json.loads((root / test["name"]).read_text())
        defined = [each for each in kept["inputs"] if not each["name"].startswith("uninit:undefined")]
        assert len(test["inputs"]) + test["undefined"] == len(kept["inputs"])
        for shown, given in zip(test["inputs"], defined, strict=True):
            assert bytes.fromhex(shown["bytes"].removesuffix("...")) == bytes.fromhex(given["bytes"])[:64]
            assert shown["value"] == (None if given["value"] is None else str(given["value"]))
