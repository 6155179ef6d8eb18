"""run.db: states, forks, joins, prunes, queries and coverage of a run, as SQLite tables for other tools."""

from __future__ import annotations

import contextlib
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unfork.engine.explore.tally import PointCounts
from unfork.engine.protocols.events import (
    Beat,
    Began,
    Bounded,
    Covered,
    Dropped,
    Ended,
    Event,
    Forked,
    Joined,
    Left,
    Moved,
)
from unfork.engine.protocols.outcome import Failed, Halted, Killed, Running
from unfork.engine.protocols.pruner import Evidence
from unfork.engine.state.state import State, position_of
from unfork.program.llvm.types import Position
from unfork.reduce.prune.contract import StateCover
from unfork.reduce.prune.interpolation import learn
from unfork.reduce.prune.interpolation.wording import Wording
from unfork.report.record.directory import FULL, DiskFull, WriteFailed, gone, write_failed
from unfork.report.record.traces import Traces

if TYPE_CHECKING:
    from unfork.reduce.prune.interpolation.interpolant import Interpolant
    from unfork.reduce.prune.interpolation.learn import LearntCover

LARGEST = (1 << 63) - 1
"""The largest integer in SQLite; stands for any larger multiplicity."""
COLUMNS = {
    "states": "id INTEGER PRIMARY KEY, ended TEXT, detail TEXT, file TEXT, line INTEGER, function TEXT, "
    "instructions INTEGER, depth INTEGER, multiplicity INTEGER, test TEXT",
    "forks": "parent INTEGER, child INTEGER, file TEXT, line INTEGER, function TEXT",
    "forked": "node INTEGER, file TEXT, line INTEGER, function TEXT, loop_file TEXT, loop_line INTEGER, "
    "loop_function TEXT, multiplicity INTEGER",
    "joins": "parent INTEGER, child INTEGER, file TEXT, line INTEGER, function TEXT",
    "tests": "name TEXT, state INTEGER",
    "taken": "test TEXT, child INTEGER, parent INTEGER",
    "prunes": "id INTEGER, cover TEXT, coverer INTEGER, renamed TEXT, learnt INTEGER",
    "learnt": "id INTEGER, node INTEGER, condition TEXT",
    "queries": "name TEXT PRIMARY KEY, value REAL",
    "fork_places": "strategy TEXT, file TEXT, line INTEGER, function TEXT, loop_file TEXT, loop_line INTEGER, "
    "loop_function TEXT, forks INTEGER, born INTEGER, multiplicity INTEGER",
    "query_places": "strategy TEXT, file TEXT, line INTEGER, function TEXT, queries INTEGER, seconds REAL",
    "attention": "strategy TEXT, function TEXT, born INTEGER, work INTEGER, news INTEGER",
    "refusals": "strategy TEXT, file TEXT, line INTEGER, function TEXT, reason TEXT, count INTEGER",
    "sides": "strategy TEXT, function TEXT, block INTEGER, successor INTEGER, infeasible INTEGER, unknown INTEGER, "
    "untested INTEGER",
    "growth": "seconds REAL, branches INTEGER",
    "ran": "function TEXT",
    "coverage": "function TEXT, block INTEGER, successor INTEGER, file TEXT, line INTEGER, covered INTEGER",
}
NODES = {"states": "id", "forks": "child", "forked": "node", "joins": "child", "tests": "state", "taken": "child"} | {
    "prunes": "id",
    "learnt": "node",
}
"""The tables with a row for each node, and the column with its number."""
_BATCH = 4096
_BEATS = 10
"""Write buffered rows every this many beats (one second), so that they survive if the run is killed."""
_PATIENCE = 60.0
"""Seconds to wait for a reader of the file."""
_COUNTS = 5
"""Counts by location are written this many times as rarely."""
_GROWTH = 1 << 16
"""Bytes that must fit on the disk."""
_PRIMARY = 0xFF
"""The bits of an SQLite code for the sort of trouble."""
_TROUBLES = {
    sqlite3.SQLITE_CORRUPT: "the file is damaged",
    sqlite3.SQLITE_NOTADB: "the file is damaged",
    sqlite3.SQLITE_IOERR: "input/output error",
    sqlite3.SQLITE_READONLY: "the file was replaced, or may not be written",
}
_SCHEMA = "".join(f"CREATE TABLE IF NOT EXISTS {name} ({columns});" for name, columns in COLUMNS.items())
"""IF NOT EXISTS: an earlier process may have been killed before it made any."""
_BY_LOCATION = ("fork_places", "query_places", "refusals", "attention", "sides")
_AT_THE_END = ("queries", "ran", "coverage")
_ROWS = tuple([name for name in COLUMNS if name not in (*_BY_LOCATION, *_AT_THE_END)])
"""The tables that grow during the run."""

Row = tuple[Any, ...]
CountsByLocation = Callable[[], Sequence[tuple[str, PointCounts]]]
"""The counts of each strategy so far, by its name; "" outside a race."""
BranchesNow = Callable[[], tuple[float, int]]
"""The seconds of the run, and the number of covered branch edges."""


@dataclass(frozen=True, slots=True)
class EarlierRows:
    """The rows of an earlier process that this run continues: its number of nodes, and the nodes of waiting states.

    The states wait again under the next numbers, in the same order.
    """

    nodes: int
    waiting: Sequence[int]


class Database:
    """Writes rows in batches. Each is a transaction, so the file is consistent even if the run is cut short.

    Observes a run after ``traces``, which must know a node's tests before the node's end; writes down the rows of
    ``traces``.
    """

    def __init__(
        self,
        path: Path,
        traces: Traces,
        counts: CountsByLocation,
        branches: BranchesNow,
        earlier: EarlierRows | None = None,
    ) -> None:
        self._traces = traces
        self._counts = counts
        self._branches = branches
        self._covered = 0
        """The most branch edges that were covered at a beat."""
        self._rows: dict[str, list[Row]] = {name: [] for name in _ROWS}
        self._rows |= {"tests": traces.tests, "taken": traces.taken}
        self._covers = Covers()
        self._failed = False
        self._beats = 0
        self._path = path
        with writing(path):
            self._connection = sqlite3.connect(path, _PATIENCE, isolation_level=None)
            self._connection.execute("PRAGMA synchronous=OFF")
            self._connection.executescript(f"BEGIN;{_SCHEMA}COMMIT;")
            if earlier is not None:
                self._go_on(earlier)

    def tell(self, event: Event) -> None:
        """Buffer the rows of an event; write the buffer at times. Raises WriteFailed."""
        match event:
            case Ended(ended):
                self._end(ended)
            case Forked(parent, outcomes, at, loop):
                stands_for = outcomes[0].state.multiplicity
                self._rows["forked"].append((parent, *at, *loop, stands_for if stands_for < LARGEST else LARGEST))
                for outcome in outcomes:
                    state = outcome.state
                    position = outcome.fault.position if isinstance(outcome, Failed) else None
                    if isinstance(outcome, Running):
                        position = position_of(state)
                    self._rows["forks"].append((parent, state.node, *_location(position)))
            case Bounded(state, bound):
                self._row(state, "bounded", bound, position_of(state))
            case Dropped(state):
                self._row(state, "dropped", None, position_of(state))
            case Left(state):
                self._row(state, "left", None, position_of(state))
            case Moved(state):
                self._row(state, "moved", None, position_of(state))
            case Covered(state, cover):
                self._row(state, "covered", str(cover), position_of(state))
                row, kept = self._covers.rows(state, cover)
                self._rows["prunes"].append(row)
                self._rows["learnt"] += kept
            case Joined(parents, state):
                position = position_of(state)
                for joined in parents:
                    self._rows["joins"].append((joined.node, state.node, *_location(position)))
                    self._row(joined, "joined", None, position)
            case Beat():
                self._beat()
            case Began():
                return
        if len(self._rows["states"]) + len(self._rows["forks"]) >= _BATCH:
            self.flush()

    def _beat(self) -> None:
        self._beats += 1
        seconds, covered = self._branches()
        if covered > self._covered:
            self._covered = covered
            self._rows["growth"].append((round(seconds, 3), covered))
        if self._beats % _BEATS == 0:
            self.flush()
        if self._beats % (_BEATS * _COUNTS) == 0:
            self._write_counts()

    def flush(self) -> None:
        """Write the buffer. Raises WriteFailed the first time it cannot."""
        if self._failed:
            return
        try:
            with self._transaction() as run:
                for name, rows in self._rows.items():
                    _insert(run, name, rows)
        finally:
            for rows in self._rows.values():
                rows.clear()

    def _write_counts(self) -> None:
        if self._failed:
            return
        counts = self._counts()
        with self._transaction() as run:
            for name, rows in zip(_BY_LOCATION, _location_rows(counts), strict=True):
                run.execute(f"DELETE FROM {name}")
                _insert(run, name, rows)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """A transaction. Raises WriteFailed if it fails; then nothing more is written."""
        try:
            with writing(self._path), transaction(self._connection) as run:
                yield run
        except WriteFailed:
            self._failed = True
            raise

    def _go_on(self, earlier: EarlierRows) -> None:
        """Remove rows later than the saved exploration, and link its waiting states to their new numbers."""
        run, nodes = self._connection, earlier.nodes
        waiting = [(node,) for node in earlier.waiting]
        links = [(node, nodes + index, *_location(None)) for index, node in enumerate(earlier.waiting)]
        with transaction(run):
            for table, column in NODES.items():
                run.execute(f"DELETE FROM {table} WHERE {column} >= ?", (nodes,))
            for table in ("states", "prunes", "forked"):
                run.executemany(f"DELETE FROM {table} WHERE {NODES[table]} = ?", waiting)
            _insert(run, "forks", links)
            for table in ("coverage", "ran"):
                run.execute(f"DELETE FROM {table}")
            _, self._covered = self._branches()
            run.execute("DELETE FROM growth WHERE branches > ?", (self._covered,))

    def close(self, queries: Mapping[str, float], coverage: list[Row], ran: Sequence[str]) -> None:
        """Write the buffer, the solver's counts, the coverage of every branch edge, and the functions that ran.

        Raises WriteFailed.
        """
        self.flush()
        self._write_counts()
        with self._transaction() as run:
            rows: tuple[Sequence[Row], ...] = (list(queries.items()), [(name,) for name in ran], coverage)
            for name, values in zip(_AT_THE_END, rows, strict=True):
                _insert(run, name, values)
        self._connection.close()

    def _end(self, outcome: Halted | Failed | Killed) -> None:
        match outcome:
            case Halted(state, end, _):
                self._row(state, end, None, None)
            case Failed(state, fault):
                self._row(state, "error", f"{fault.kind}: {fault.message}", fault.position)
            case Killed(state, reason, detail):
                self._row(state, reason, detail, position_of(state))

    def _row(self, state: State, ended: str, detail: str | None, position: Position | None) -> None:
        node = state.node
        test = self._traces.tests_of.get(node)
        stands_for = state.multiplicity if state.multiplicity < LARGEST else LARGEST
        row = (node, ended, detail, *_location(position), state.instructions, state.depth, stands_for, test)
        self._rows["states"].append(row)


def _insert(run: sqlite3.Connection, name: str, rows: Sequence[Row]) -> None:
    marks = ",".join("?" * (COLUMNS[name].count(",") + 1))
    run.executemany(f"INSERT OR REPLACE INTO {name} VALUES ({marks})", rows)


def _location(position: Position | None) -> Row:
    return (None, None, None) if position is None else (position.file, position.line, position.function)


def _location_rows(counted: Sequence[tuple[str, PointCounts]]) -> tuple[list[Row], ...]:
    forks: list[Row] = []
    queries: list[Row] = []
    refusals: list[Row] = []
    attention: list[Row] = []
    sides: list[Row] = []
    for strategy, counts in counted:
        for (at, loop), number in counts.forks.items():
            born, stands_for = counts.born[at, loop], counts.multiplicity[at, loop]
            forks.append((strategy, *at, *loop, number, born, min(stands_for, LARGEST)))
        for at, number in counts.queries.items():
            queries.append((strategy, *at, number, counts.microseconds[at] / 1e6))
        for (at, reason), number in counts.refused.items():
            refusals.append((strategy, *at, reason, number))
        states: Counter[str | None] = Counter()
        for (at, _), number in counts.born.items():
            states[at.function] += number
        attention += [
            (strategy, function, states[function], counts.work[function], counts.news[function])
            for function in dict.fromkeys([*counts.work, *states])
        ]
        reasons = (counts.infeasible, counts.unknown, counts.untested)
        every = dict.fromkeys([side for reason in reasons for side in reason])
        sides += [(strategy, *side, *[reason[side] for reason in reasons]) for side in every]
    return forks, queries, refusals, attention, sides


CoverRow = tuple[int, str, int | None, str, int | None]
"""(covered state, reason, covering state, renamed objects, number of the learnt interpolant)."""
KeptRow = tuple[int, int, str]
"""(number of the learnt interpolant, the state that learnt it, one of its conditions)."""


class Covers:
    """Makes the rows of covers. An interpolant gets rows for its conditions when it first covers a state."""

    def __init__(self) -> None:
        self._wording = Wording()
        self._numbers: dict[int, tuple[int, Interpolant]] = {}
        """By identity, with the interpolant itself, which keeps the identity unique."""

    def rows(self, state: State, cover: Evidence) -> tuple[CoverRow, list[KeptRow]]:
        """The rows for ``state``, which ``cover`` prunes."""
        match cover:
            case StateCover():
                return (state.node, str(cover), cover.coverer, _new_names(dict(cover.objects)), None), []
            case learn.LearntCover():
                number, kept = self._learnt(state, cover)
                back = {here: there for there, here in cover.names.items()}
                coverer = None if cover.coverer == learn.ELSEWHERE else cover.coverer
                return (state.node, str(cover), coverer, _new_names(back), number), kept
            case _:
                return (state.node, str(cover), None, "", None), []

    def _learnt(self, state: State, cover: LearntCover) -> tuple[int, list[KeptRow]]:
        known = self._numbers.get(id(cover.learnt))
        if known is not None:
            return known[0], []
        number = len(self._numbers)
        self._numbers[id(cover.learnt)] = (number, cover.learnt)
        conditions = self._wording.conditions(cover.learnt, cover.names, state)
        return number, [(number, cover.coverer, condition) for condition in conditions]


def _new_names(objects: dict[int, int]) -> str:
    return ", ".join(f"{here} for {there}" for here, there in sorted(objects.items()) if here != there)


@contextlib.contextmanager
def writing(target: Path) -> Iterator[None]:
    """Turns errors of writing an SQLite file into WriteFailed."""
    try:
        yield
    except sqlite3.Error as error:
        raise table_failed(target, error) from None
    except OSError as error:
        raise write_failed(target, error) from None


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Commits at the end, or rolls back."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.rollback()


def table_failed(target: Path, error: sqlite3.Error) -> WriteFailed:
    """The error in one line."""
    code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and not _has_room(target)):
        return DiskFull(f"cannot write {target}: the disk is full")
    return WriteFailed(f"cannot write {target}: {gone(target) or _TROUBLES.get(code, str(error))}")


def _has_room(target: Path) -> bool:
    """Whether a file may grow: SQLite does not say whether an error of the system is about space."""
    part = target.with_name(target.name + ".part")
    try:
        with open(part, "wb") as file:
            file.seek(target.stat().st_size + _GROWTH)
            file.write(bytes(_GROWTH))
    except OSError as error:
        return error.errno not in FULL
    finally:
        with contextlib.suppress(OSError):
            part.unlink()
    return True
