"""What run.db counts by lines and functions of the source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from unfork.clang.escape import shown
from unfork.llvm.types import Position
from unfork.page.places import Places
from unfork.report.database import Connection


@dataclass(frozen=True, slots=True)
class Branching:
    """How many branch sides a function of the program has, and where it is."""

    sides: int
    position: Position | None


_ENDS = "SELECT file, line, ended, COUNT(*) FROM states WHERE file IS NOT NULL AND ended NOT IN ('covered', 'joined')"


def lines(database: Connection, places: Places) -> dict[str, dict[str, dict[str, Any]]]:
    """For each file by its number and each line, what there is to tell of it.

    sides: the branch sides there as [function, block, successor, whether covered]; forks: states that forked; born:
    states that forks led to; joins: joined states; refused: joins that were refused, by reason; covers: states that
    were covered; queries and seconds: those of the solver; ends: other states that ended, by how. What only newer runs
    count (forks, refused, queries, seconds) is missing where there is no table of it.
    """
    told: dict[str, dict[str, dict[str, Any]]] = {}

    def line(file: str, number: int) -> dict[str, Any]:
        return told.setdefault(str(places.file(file)), {}).setdefault(str(number), {})

    for function, block, successor, file, number, covered in database.execute(
        "SELECT function, block, successor, file, line, covered FROM coverage WHERE file IS NOT NULL "
        "ORDER BY file, line, function, block, successor"
    ):
        line(file, number).setdefault("sides", []).append([shown(function), block, successor, covered])
    for word, query in (
        ("born", "SELECT file, line, COUNT(*) FROM forks WHERE file IS NOT NULL"),
        ("joins", "SELECT file, line, COUNT(DISTINCT child) FROM joins WHERE file IS NOT NULL"),
        ("covers", "SELECT file, line, COUNT(*) FROM states WHERE file IS NOT NULL AND ended = 'covered'"),
    ):
        for file, number, count in database.execute(f"{query} GROUP BY file, line ORDER BY file, line"):
            line(file, number)[word] = count
    if has_table(database, "query_places"):
        query = "SELECT file, line, SUM(queries), SUM(seconds) FROM query_places WHERE file IS NOT NULL"
        for file, number, queries, spent in database.execute(f"{query} GROUP BY file, line ORDER BY file, line"):
            line(file, number).update(queries=queries, seconds=spent)
    if has_table(database, "refusals"):
        query = "SELECT file, line, reason, SUM(count) FROM refusals WHERE file IS NOT NULL"
        for file, number, reason, count in database.execute(f"{query} GROUP BY 1, 2, 3 ORDER BY 1, 2, 4 DESC, 3"):
            line(file, number).setdefault("refused", []).append([shown(reason), count])
    if has_table(database, "forked"):
        query = "SELECT file, line, COUNT(*) FROM forked WHERE file IS NOT NULL"
        for file, number, count in database.execute(f"{query} GROUP BY file, line ORDER BY file, line"):
            line(file, number)["forks"] = count
    for file, number, end, count in database.execute(f"{_ENDS} GROUP BY file, line, ended ORDER BY 1, 2, 4 DESC, 3"):
        line(file, number).setdefault("ends", []).append([shown(end), count])
    return told


def has_table(database: Connection, name: str) -> bool:
    """Whether the run was made by an unfork that kept this table."""
    query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    return database.execute(query, (name,)).fetchone() is not None


def functions(database: Connection, places: Places, branching: Mapping[str, Branching]) -> list[list[Any]]:
    """Functions with branches: name, file's number, first line (of what run.db has), covered sides, sides.

    ``branching`` has those of the whole program, if it could be read; else there are only sides that the run has met.
    """
    rows = {
        function: [shown(function), -1 if file is None else places.file(file), line or 0, covered, sides]
        for function, file, line, covered, sides in database.execute(
            "SELECT function, file, MIN(line), SUM(covered), COUNT(*) FROM coverage GROUP BY function ORDER BY 2, 3, 1"
        )  # SQLite takes the file from the row with the first line
    }
    for function, known in branching.items():
        row = rows.setdefault(function, [shown(function), -1, 0, 0, 0])
        row[4] = known.sides
        if known.position is not None:
            row[1:3] = places.file(known.position.file), known.position.line
    return sorted(rows.values(), key=lambda row: row[1:3])


def totals(database: Connection) -> dict[str, Any]:
    """The states in run.db, and how they ended."""
    ends = Counter({shown(str(end)): count for end, count in database.execute(_BY_END)})
    return {"states": ends.total(), "ends": [[end, count] for end, count in ends.most_common()]}


_BY_END = "SELECT ended, COUNT(*) FROM states GROUP BY ended ORDER BY 2 DESC, 1"
