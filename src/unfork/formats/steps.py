"""The path of a test: the branches that it took, as run.db has them."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Any

from unfork.errors import InputError
from unfork.formats.kept_run import KeptRun
from unfork.report.database import Connection, DatabaseError, read_database

MOST = 200
"""The most steps of a path: those nearest to its end."""


@dataclass(frozen=True, slots=True)
class Step:
    """Where a state went on after a fork, or where it was joined."""

    file: str
    line: int
    function: str
    is_join: bool


def steps(run: KeptRun, tests: list[str]) -> dict[str, list[Step]]:
    """The path of each test that run.db knows, in the order of execution.

    A test that another process of a race has found has none there.
    """
    if not tests:
        return {}
    try:
        with read_database(run.root / "run.db") as database:
            forks = _Forks(database)
            return {test: _way(database, forks, test) for test in tests}
    except (InputError, DatabaseError):
        return {}  # the run was cut off before there was any


class _Forks:
    """The parents of all states that forks made. The table has no index, and a path looks many of them up."""

    def __init__(self, database: Connection) -> None:
        (most,) = database.execute("SELECT MAX(child) FROM forks").fetchone()
        nowhere = array("q", [-1]) * (0 if most is None else most + 1)
        self._parents, self._rows = nowhere, nowhere[:]
        for child, parent, row in database.execute("SELECT child, parent, rowid FROM forks"):
            self._parents[child], self._rows[child] = parent, row

    def find(self, node: int) -> tuple[int, int] | None:
        """The state that forked, and the row that says so; None if no fork made ``node``."""
        if not (0 <= node < len(self._rows)) or self._rows[node] < 0:
            return None
        return self._parents[node], self._rows[node]


def _way(database: Connection, forks: _Forks, test: str) -> list[Step]:
    row = database.execute("SELECT state FROM tests WHERE name = ?", (test,)).fetchone()
    if row is None:
        return []
    taken = dict(database.execute("SELECT child, parent FROM taken WHERE test = ?", (test,)))
    way: list[Step] = []
    node = row[0]
    while len(way) < MOST:
        if (fork := forks.find(node)) is not None:
            node, number = fork
            place = database.execute("SELECT file, line, function FROM forks WHERE rowid = ?", (number,)).fetchone()
            _note(way, place, is_join=False)
            continue
        joins = database.execute(
            "SELECT parent, file, line, function FROM joins WHERE child = ? ORDER BY rowid", (node,)
        ).fetchall()
        if not joins:
            break
        node = taken.get(node, joins[0][0])
        _note(way, joins[0][1:], is_join=True)
    return way[::-1]


def _note(way: list[Step], place: tuple[Any, ...], *, is_join: bool) -> None:
    file, line, function = place
    if file is not None:
        way.append(Step(file, line, function, is_join))
