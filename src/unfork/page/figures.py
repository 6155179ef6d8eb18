"""What run.db counts by lines and functions of the source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from unfork.clang.escape import shown
from unfork.contracts.whereabouts import Spot
from unfork.llvm.types import Position
from unfork.page.places import Places
from unfork.report.tables import Tables


@dataclass(frozen=True, slots=True)
class Branching:
    """How many branch sides a function of the program has, and where it is."""

    sides: int
    position: Position | None


def lines(tables: Tables, places: Places) -> dict[str, dict[str, dict[str, Any]]]:
    """For each file by its number and each line, what there is to tell of it.

    sides: the branch sides there as [function, block, successor, whether covered]; forks: states that forked; born:
    states that forks led to; joins: joined states; refused: joins that were refused, by reason; covers: states that
    were covered; queries and seconds: those of the solver; ends: other states that ended, by how. What only newer runs
    count (forks, refused, queries, seconds) is missing where there is no table of it.
    """
    told: dict[str, dict[str, dict[str, Any]]] = {}

    def line(file: str, number: int) -> dict[str, Any]:
        return told.setdefault(str(places.file(file)), {}).setdefault(str(number), {})

    edges = [edge for edge in tables.edges() if edge.file is not None]
    for function, block, successor, file, number, covered in sorted(edges, key=lambda edge: (*edge[3:5], *edge[:3])):
        line(file or "", number or 0).setdefault("sides", []).append([shown(function), block, successor, int(covered)])
    ends = list(tables.ends())
    for word, spots in (
        ("born", [link.at for link in tables.forks()]),
        ("joins", {link.child: link.at for link in tables.joins()}.values()),
        ("covers", [end.at for end in ends if end.ended == "covered"]),
        ("forks", [fork.at for fork in tables.forked()]),
    ):
        for (file, number), count in sorted(Counter(_lines(spots)).items()):
            line(file, number)[word] = count
    queries = sorted(tables.query_places(), key=lambda row: row.at[:2] if row.at.file is not None else ("", 0))
    for row in queries:
        for file, number in _lines([row.at]):
            here = line(file, number)
            here.update(queries=here.get("queries", 0) + row.queries, seconds=here.get("seconds", 0) + row.seconds)
    refused = [(row.at, row.reason, row.times) for row in tables.refusals()]
    others = [(end.at, shown(end.ended), 1) for end in ends if end.ended not in ("covered", "joined")]
    for word, rows in (("refused", refused), ("ends", others)):
        counts: Counter[tuple[str, int, str]] = Counter()
        for at, reason, count in rows:
            for file, number in _lines([at]):
                counts[file, number, reason] += count
        for (file, number, reason), count in sorted(counts.items(), key=lambda each: (-each[1], each[0])):
            line(file, number).setdefault(word, []).append([reason, count])
    return told


def _lines(spots: Iterable[Spot]) -> list[tuple[str, int]]:
    """Files and lines of the places that are known."""
    return [(spot.file, spot.line) for spot in spots if spot.file is not None and spot.line is not None]


def functions(tables: Tables, places: Places, branching: Mapping[str, Branching]) -> list[list[Any]]:
    """Functions with branches: name, file's number, first line (of what run.db has), covered sides, sides.

    ``branching`` has those of the whole program, if it could be read; else there are only sides that the run has met.
    """
    rows: dict[str, list[Any]] = {}
    for edge in sorted(tables.edges(), key=lambda edge: (edge.file or "", edge.line or 0, edge.function)):
        file = -1 if edge.file is None else places.file(edge.file)
        row = rows.setdefault(edge.function, [shown(edge.function), file, edge.line or 0, 0, 0])
        if row[1] < 0:
            row[1:3] = file, edge.line or 0
        row[3:] = row[3] + edge.is_covered, row[4] + 1
    for function, known in branching.items():
        row = rows.setdefault(function, [shown(function), -1, 0, 0, 0])
        row[4] = known.sides
        if known.position is not None:
            row[1:3] = places.file(known.position.file), known.position.line
    return sorted(rows.values(), key=lambda row: row[1:3])


def totals(tables: Tables) -> dict[str, Any]:
    """The states in run.db, and how they ended."""
    ends = tables.ends_by_kind()
    return {"states": sum(count for _, count in ends), "ends": [[end, count] for end, count in ends]}
