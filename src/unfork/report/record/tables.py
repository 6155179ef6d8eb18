"""run.db for reading: its rows as records, and the path of forks and joins to a state."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from array import array
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from unfork.engine.protocols.whereabouts import SourceSpot
from unfork.errors import InputError
from unfork.program.c.escape import escape_text
from unfork.report.record.database import COLUMNS


class EndRow(NamedTuple):
    """The end of a state, and its place."""

    state: int
    ended: str
    detail: str
    at: SourceSpot
    instructions: int
    depth: int
    multiplicity: int
    test: str | None


class LinkRow(NamedTuple):
    """A state after a fork or a join, and its place."""

    parent: int
    child: int
    at: SourceSpot


class ForkRow(NamedTuple):
    """The place of a fork, and its innermost loop."""

    state: int
    at: SourceSpot
    loop: SourceSpot


class Cover(NamedTuple):
    """The reason of a pruning: ``coverer`` covers the state, by interpolant ``learnt``, with objects ``renamed``."""

    state: int
    words: str
    coverer: int | None
    renamed: str
    learnt: int | None


class LearntRow(NamedTuple):
    """A condition of an interpolant that a state learnt, in C."""

    number: int
    state: int
    condition: str


class Edge(NamedTuple):
    """A branch edge that the run met."""

    function: str
    block: int
    successor: int
    file: str | None
    line: int | None
    is_covered: bool


class Forks(NamedTuple):
    """Forks at a location with its innermost loop, and the new states ``born`` there.

    ``multiplicity`` is the sum over the forked states. ``levels`` counts the forks that were the first here on their
    path, the second and so on; empty if not counted.
    """

    at: SourceSpot
    loop: SourceSpot
    forks: int
    born: int
    multiplicity: int
    levels: tuple[int, ...] = ()


class Queries(NamedTuple):
    """The solver's queries at a location."""

    strategy: str
    at: SourceSpot
    queries: int
    seconds: float


class RefusalRow(NamedTuple):
    """Joins that a strategy refused at a location, for a reason."""

    strategy: str
    at: SourceSpot
    reason: str
    times: int


class AttentionRow(NamedTuple):
    """A strategy's work on one of the program's own functions, in about microseconds, and its results.

    ``born``: new states from forks in it; ``news``: new branch edges in steps that began in it.
    """

    strategy: str
    function: str | None
    born: int
    work: int
    news: int


class SideRow(NamedTuple):
    """Why a strategy did not take a branch side: how often it was ``infeasible``, the solver gave up, or the paths
    that took it got no test.
    """

    strategy: str
    function: str
    block: int
    successor: int
    infeasible: int
    unknown: int
    untested: int


class Birth(NamedTuple):
    """A fork that led to ``child``, or a join of ``parents``; ``parent`` is the one on the path."""

    child: int
    parent: int
    parents: tuple[int, ...]
    at: SourceSpot
    is_join: bool


class Tables:
    """The tables of a run. Text of the program is escaped, except for names of files and functions.

    ``missing`` names tables that an earlier version did not write; they read as empty. Reading raises InputError for
    a damaged file.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        known = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        self.missing = COLUMNS.keys() - known
        for name in sorted(self.missing):
            connection.execute(f"CREATE TEMP TABLE {name} ({COLUMNS[name]})")
        self._parents: array[int] | None = None
        self._rows = array("q")
        self._spots: dict[SourceSpot, SourceSpot] = {}

    def need(self, *names: str) -> None:
        """Raise InputError if the run lacks tables."""
        if lacking := self.missing.intersection(names):
            raise InputError(f"run.db lacks {', '.join(sorted(lacking))}: an earlier version wrote it")

    def close(self) -> None:
        self._connection.close()

    def _at(self, file: str | None, line: int | None, function: str | None) -> SourceSpot:
        """One object for each location: there are few."""
        spot = SourceSpot(file, line, function)
        return self._spots.setdefault(spot, spot)

    def count(self, *tables: str) -> int:
        """The number of rows in these tables together."""
        return sum(self._number(f"SELECT COUNT(*) FROM {name}") or 0 for name in tables)

    def links(self) -> Iterator[tuple[int, int]]:
        """Edges (parent, child) of the execution graph, by child."""
        query = "SELECT parent, child FROM forks UNION ALL SELECT parent, child FROM joins ORDER BY 2"
        yield from self._query(query)

    def largest(self) -> int:
        """The largest number of a state that ended."""
        return self._number("SELECT MAX(id) FROM states") or 0

    def ends(self, **wanted: Any) -> Iterator[EndRow]:
        """The states that ended, by number."""
        for state, ended, detail, *rest in self._select("states", wanted):
            *at, instructions, depth, multiplicity, test = rest
            yield EndRow(
                state, ended, escape_text(detail or ""), self._at(*at), instructions, depth, multiplicity, test
            )

    def ends_by_kind(self) -> list[tuple[str, int]]:
        """The number of states by end, highest first."""
        query = "SELECT ended, COUNT(*) FROM states GROUP BY ended ORDER BY 2 DESC, 1"
        return [(escape_text(str(end)), count) for end, count in self._query(query)]

    def forks(self, **wanted: Any) -> Iterator[LinkRow]:
        for parent, child, *at in self._select("forks", wanted):
            yield LinkRow(parent, child, self._at(*at))

    def joins(self, **wanted: Any) -> Iterator[LinkRow]:
        for parent, child, *at in self._select("joins", wanted):
            yield LinkRow(parent, child, self._at(*at))

    def forked(self) -> Iterator[ForkRow]:
        for state, *spots, _ in self._select("forked", {}):
            yield ForkRow(state, self._at(*spots[:3]), self._at(*spots[3:]))

    def tests(self, **wanted: Any) -> Iterator[tuple[str, int]]:
        """(test, its state)."""
        yield from self._select("tests", wanted)

    def taken(self, **wanted: Any) -> Iterator[tuple[str, int, int]]:
        """The joins on the paths of tests: (test, join, the parent on the path)."""
        yield from self._select("taken", wanted)

    def covers(self, **wanted: Any) -> Iterator[Cover]:
        for state, words, coverer, renamed, learnt in self._select("prunes", wanted):
            yield Cover(state, escape_text(words or ""), coverer, escape_text(renamed or ""), learnt)

    def learnt(self, **wanted: Any) -> Iterator[LearntRow]:
        for number, state, condition in self._select("learnt", wanted):
            yield LearntRow(number, state, escape_text(condition))

    def edges(self, **wanted: Any) -> Iterator[Edge]:
        for function, block, successor, file, line, covered in self._select("coverage", wanted):
            yield Edge(function, block, successor, file, line, bool(covered))

    def ran(self) -> set[str]:
        return {name for (name,) in self._select("ran", {})}

    def fork_places(self, **wanted: Any) -> Iterator[Forks]:
        for _, *spots, forks, born, multiplicity in self._select("fork_places", wanted):
            yield Forks(self._at(*spots[:3]), self._at(*spots[3:]), forks, born, multiplicity)

    def query_places(self, **wanted: Any) -> Iterator[Queries]:
        for strategy, file, line, function, queries, seconds in self._select("query_places", wanted):
            yield Queries(strategy, self._at(file, line, function), queries, seconds)

    def attention(self, **wanted: Any) -> Iterator[AttentionRow]:
        for strategy, function, *counts in self._select("attention", wanted):
            yield AttentionRow(strategy, function, *counts)

    def refusals(self) -> Iterator[RefusalRow]:
        for strategy, file, line, function, reason, count in self._select("refusals", {}):
            yield RefusalRow(strategy, self._at(file, line, function), escape_text(reason), count)

    def sides(self) -> Iterator[SideRow]:
        yield from map(SideRow._make, self._select("sides", {}))

    def growth(self) -> list[tuple[float, int]]:
        """(seconds of the run, covered branch edges) each time there were more."""
        return list(self._select("growth", {}))

    def strategies(self) -> list[str]:
        query = "SELECT strategy FROM fork_places UNION SELECT strategy FROM query_places"
        return [name for (name,) in self._query(query)]

    def _select(self, table: str, wanted: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
        where = " AND ".join(f"{column} = ?" for column in wanted) or "1"
        return self._query(f"SELECT * FROM {table} WHERE {where} ORDER BY rowid", *wanted.values())

    def _number(self, query: str) -> int | None:
        ((number,),) = self._query(query)
        return None if number is None else int(number)

    def _query(self, query: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        """Raises InputError when the first row is read."""
        try:
            yield from self._connection.execute(query, values)
        except sqlite3.Error as problem:
            raise InputError(f"run.db cannot be read: {problem}") from None

    def origin(self, test: str) -> tuple[int, Mapping[int, int]] | None:
        """The state of a test, and the parents on its path by join; None if run.db does not have it."""
        state = next((state for _, state in self.tests(name=test)), None)
        return None if state is None else (state, {child: parent for _, child, parent in self.taken(test=test)})

    def births(self, state: int, taken: Mapping[int, int]) -> Iterator[Birth]:
        """The forks and joins on the path to a state, latest first.

        ``taken`` gives the parents on the path by join; at other joins the path continues with the first parent.
        """
        while (birth := self._fork(state) or self._join(state, taken)) is not None:
            yield birth
            state = birth.parent

    def way(self, test: str, most: int) -> list[Birth]:
        """The last forks and joins with a location on a test's path, in order of execution.

        Empty for a test from another process of a race.
        """
        known = self.origin(test)
        births = () if known is None else (birth for birth in self.births(*known) if birth.at.file is not None)
        return list(islice(births, most))[::-1]

    def _fork(self, state: int) -> Birth | None:
        """Uses an array of parents: the table has no index, and a path looks up many rows."""
        if self._parents is None:
            most = self._number("SELECT MAX(child) FROM forks")
            self._parents = array("q", [-1]) * (0 if most is None else most + 1)
            self._rows = self._parents[:]
            for child, parent, row in self._query("SELECT child, parent, rowid FROM forks"):
                self._parents[child], self._rows[child] = parent, row
        if not 0 <= state < len(self._rows) or self._rows[state] < 0:
            return None
        (link,) = self.forks(rowid=self._rows[state])
        return Birth(state, link.parent, (link.parent,), link.at, is_join=False)

    def _join(self, state: int, taken: Mapping[int, int]) -> Birth | None:
        links = list(self.joins(child=state))
        if not links:
            return None
        parents = tuple([link.parent for link in links])
        return Birth(state, taken.get(state, parents[0]), parents, links[0].at, is_join=True)


def read_tables(path: Path) -> Tables:
    """The tables of a run.db. Raises InputError if there is none or it cannot be read.

    They show one moment until closed; a live run waits that long before it writes again.
    """
    return _open(path, _connect)


def copy_tables(path: Path) -> Tables:
    """A copy of the tables of a run that may still write, without making it wait. Raises InputError."""
    return _open(path, _copy)


def _open(path: Path, connect: Callable[[Path], sqlite3.Connection]) -> Tables:
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    try:
        connection = connect(path)
        try:
            return Tables(connection)
        except sqlite3.Error:
            connection.close()
            raise
    except sqlite3.Error as problem:
        raise InputError(f"{path} cannot be read: {problem}") from None


def _connect(path: Path) -> sqlite3.Connection:
    mode = "rw" if path.with_name(f"{path.name}-journal").exists() else "ro"
    # If the run was killed during a transaction, SQLite must first roll that back.
    address = f"file:{quote(os.fsencode(path.resolve()))}?mode={mode}"
    connection = sqlite3.connect(address, uri=True, isolation_level=None)
    try:
        connection.execute("BEGIN")
        connection.execute("SELECT 1 FROM states, learnt LIMIT 1")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _copy(path: Path) -> sqlite3.Connection:
    copy = sqlite3.connect(":memory:")
    with contextlib.closing(_connect(path)) as connection:
        connection.backup(copy)
    return copy
