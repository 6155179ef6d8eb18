"""How a state came to be: the forks and joins that led to it, as run.db has them."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from unfork.report.database import Connection

Place = tuple[Any, ...]
"""File, line and function; None each where they are not known."""


@dataclass(frozen=True, slots=True)
class Birth:
    """A fork that led to ``child``, or a join of ``parents`` that made it; ``parent`` is the one on the path."""

    child: int
    parent: int
    parents: tuple[int, ...]
    place: Place
    is_join: bool


class Ancestry:
    """Goes back from states. The table of forks has no index, and a path looks many of its rows up."""

    def __init__(self, database: Connection) -> None:
        self._database = database
        (most,) = database.execute("SELECT MAX(child) FROM forks").fetchone()
        nowhere = array("q", [-1]) * (0 if most is None else most + 1)
        self._parents, self._rows = nowhere, nowhere[:]
        for child, parent, row in database.execute("SELECT child, parent, rowid FROM forks"):
            self._parents[child], self._rows[child] = parent, row

    def births(self, node: int, taken: Mapping[int, int]) -> Iterator[Birth]:
        """The forks and joins on the path to a state, latest first.

        ``taken`` gives the parents on the path by join; behind any other join the path goes on with its first parent.
        """
        while (birth := self._fork(node) or self._join(node, taken)) is not None:
            yield birth
            node = birth.parent

    def _fork(self, node: int) -> Birth | None:
        if not 0 <= node < len(self._rows) or self._rows[node] < 0:
            return None
        query = "SELECT file, line, function FROM forks WHERE rowid = ?"
        place = self._database.execute(query, (self._rows[node],)).fetchone()
        return Birth(node, self._parents[node], (self._parents[node],), place, is_join=False)

    def _join(self, node: int, taken: Mapping[int, int]) -> Birth | None:
        query = "SELECT parent, file, line, function FROM joins WHERE child = ? ORDER BY rowid"
        rows = self._database.execute(query, (node,)).fetchall()
        if not rows:
            return None
        parents = tuple([row[0] for row in rows])
        return Birth(node, taken.get(node, parents[0]), parents, rows[0][1:], is_join=True)


def origin(database: Connection, test: str) -> tuple[int, Mapping[int, int]] | None:
    """The state that a test comes from, and the parents on its path by join; None if run.db does not know it."""
    row = database.execute("SELECT state FROM tests WHERE name = ?", (test,)).fetchone()
    if row is None:
        return None
    return row[0], dict(database.execute("SELECT child, parent FROM taken WHERE test = ?", (test,)))
