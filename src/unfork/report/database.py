"""run.db: states, forks, joins, prunes, queries and coverage of a run, as SQLite tables for other tools to read."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from unfork.contracts.events import Beat, Began, Bounded, Covered, Dropped, Ended, Event, Forked, Joined, Left, Moved
from unfork.contracts.outcome import Failed, Halted, Killed, Running
from unfork.errors import InputError
from unfork.llvm.types import Position
from unfork.report.covers import Covers
from unfork.report.directory import FULL, DiskFull, WriteFailed, gone
from unfork.report.place_rows import LARGEST, Places, Row, place_rows
from unfork.report.traces import Traces
from unfork.state.state import State, position_of

_SCHEMA = """
BEGIN;
CREATE TABLE IF NOT EXISTS states (
    id INTEGER PRIMARY KEY, ended TEXT, detail TEXT, file TEXT, line INTEGER, function TEXT, instructions INTEGER,
    depth INTEGER, multiplicity INTEGER, test TEXT);
CREATE TABLE IF NOT EXISTS forks (parent INTEGER, child INTEGER, file TEXT, line INTEGER, function TEXT);
CREATE TABLE IF NOT EXISTS forked (
    node INTEGER, file TEXT, line INTEGER, function TEXT, loop_file TEXT, loop_line INTEGER, loop_function TEXT,
    multiplicity INTEGER);
CREATE TABLE IF NOT EXISTS joins (parent INTEGER, child INTEGER, file TEXT, line INTEGER, function TEXT);
CREATE TABLE IF NOT EXISTS tests (name TEXT, state INTEGER);
CREATE TABLE IF NOT EXISTS taken (test TEXT, child INTEGER, parent INTEGER);
CREATE TABLE IF NOT EXISTS prunes (id INTEGER, cover TEXT, coverer INTEGER, renamed TEXT, learnt INTEGER);
CREATE TABLE IF NOT EXISTS learnt (id INTEGER, node INTEGER, condition TEXT);
CREATE TABLE IF NOT EXISTS queries (name TEXT PRIMARY KEY, value REAL);
CREATE TABLE IF NOT EXISTS fork_places (
    strategy TEXT, file TEXT, line INTEGER, function TEXT, loop_file TEXT, loop_line INTEGER, loop_function TEXT,
    forks INTEGER, born INTEGER, multiplicity INTEGER);
CREATE TABLE IF NOT EXISTS query_places (
    strategy TEXT, file TEXT, line INTEGER, function TEXT, queries INTEGER, seconds REAL);
CREATE TABLE IF NOT EXISTS refusals (
    strategy TEXT, file TEXT, line INTEGER, function TEXT, reason TEXT, count INTEGER);
CREATE TABLE IF NOT EXISTS ran (function TEXT);
CREATE TABLE IF NOT EXISTS coverage (
    function TEXT, block INTEGER, successor INTEGER, file TEXT, line INTEGER, covered INTEGER);
COMMIT;
"""
"""A run may have been killed before there was any of them."""
_COLUMNS = (
    ("states", "id"),
    ("forks", "child"),
    ("forked", "node"),
    ("joins", "child"),
    ("tests", "state"),
    ("taken", "child"),
    ("prunes", "id"),
    ("learnt", "node"),
)
"""The tables with rows of nodes, and the columns that say which."""
_BATCH = 4096
_BEATS = 10
"""How many beats (one second) until buffered rows are written, so that they survive if the run is killed."""
_PATIENCE = 60.0
"""Seconds until whoever reads the file is done with it."""
_PLACES = 5
"""How many times as rarely counts by place are written."""
_GROWTH = 1 << 16
"""Bytes for which there must be room."""
_PRIMARY = 0xFF
"""The bits of SQLite's codes that name the sort of trouble."""
_TROUBLES = {
    sqlite3.SQLITE_CORRUPT: "the file is damaged",
    sqlite3.SQLITE_NOTADB: "the file is damaged",
    sqlite3.SQLITE_IOERR: "input/output error",
    sqlite3.SQLITE_READONLY: "the file was replaced, or may not be written",
}
Connection = sqlite3.Connection
DatabaseError = sqlite3.Error


@dataclass(frozen=True, slots=True)
class Earlier:
    """Where an earlier process was whose rows are kept: how many nodes there were, and those of waiting states.

    The states wait again under the next numbers, in the same order.
    """

    nodes: int
    waiting: Sequence[int]


class Database:
    """Writes rows in batches. Each is a transaction, so the file is consistent even if the run is cut short.

    ``traces`` must know a node's tests before this is told of the node's end. Its rows about joins are written here.
    """

    def __init__(self, path: Path, traces: Traces, places: Places, earlier: Earlier | None = None) -> None:
        self._traces = traces
        self._places = places
        self._states: list[Row] = []
        self._forks: list[Row] = []
        self._forked: list[Row] = []
        self._joins: list[Row] = []
        self._prunes: list[Row] = []
        self._learnt: list[Row] = []
        self._covers = Covers()
        self._failed = False
        self._beats = 0
        try:
            self._connection = sqlite3.connect(path, _PATIENCE, isolation_level=None)
            self._connection.execute("PRAGMA synchronous=OFF")
            self._connection.executescript(_SCHEMA)
            if earlier is not None:
                self._go_on(earlier)
        except sqlite3.Error as error:
            raise table_failed(path, error) from None
        self._path = path

    def tell(self, event: Event) -> None:
        """Buffer the rows of an event; now and then write what is buffered. Raises WriteFailed."""
        match event:
            case Ended(ended):
                self._end(ended)
            case Forked(parent, outcomes, at, loop):
                stands_for = outcomes[0].state.multiplicity
                self._forked.append((parent, *at, *loop, stands_for if stands_for < LARGEST else LARGEST))
                for outcome in outcomes:
                    state = outcome.state
                    position = outcome.fault.position if isinstance(outcome, Failed) else None
                    if isinstance(outcome, Running):
                        position = position_of(state)
                    self._forks.append((parent, state.node, *_place(position)))
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
                self._prunes.append(row)
                self._learnt += kept
            case Joined(parents, state):
                place = position_of(state)
                for joined in parents:
                    self._joins.append((joined.node, state.node, *_place(place)))
                    self._row(joined, "joined", None, place)
            case Beat():
                self._beat()
            case Began():
                return
        if len(self._states) + len(self._forks) >= _BATCH:
            self.flush()

    def _beat(self) -> None:
        self._beats += 1
        if self._beats % _BEATS == 0:
            self.flush()
        if self._beats % (_BEATS * _PLACES) == 0:
            self._write_places()

    def flush(self) -> None:
        """Write what is buffered. Raises WriteFailed the first time it cannot."""
        if self._failed:
            return
        buffered = (self._states, self._forks, self._forked, self._joins, self._prunes, self._learnt)
        try:
            with self._transaction() as run:
                run.executemany("INSERT OR REPLACE INTO states VALUES (?,?,?,?,?,?,?,?,?,?)", self._states)
                run.executemany("INSERT INTO forks VALUES (?,?,?,?,?)", self._forks)
                run.executemany("INSERT INTO forked VALUES (?,?,?,?,?,?,?,?)", self._forked)
                run.executemany("INSERT INTO joins VALUES (?,?,?,?,?)", self._joins)
                run.executemany("INSERT INTO tests VALUES (?,?)", self._traces.tests)
                run.executemany("INSERT INTO taken VALUES (?,?,?)", self._traces.taken)
                run.executemany("INSERT INTO prunes VALUES (?,?,?,?,?)", self._prunes)
                run.executemany("INSERT INTO learnt VALUES (?,?,?)", self._learnt)
        finally:
            for rows in (*buffered, self._traces.tests, self._traces.taken):
                rows.clear()

    def _write_places(self) -> None:
        """Write what each strategy has counted by place so far, instead of what was written before."""
        if self._failed:
            return
        forks, queries, refusals = place_rows(self._places())
        with self._transaction() as run:
            run.execute("DELETE FROM fork_places")
            run.execute("DELETE FROM query_places")
            run.execute("DELETE FROM refusals")
            run.executemany("INSERT INTO fork_places VALUES (?,?,?,?,?,?,?,?,?,?)", forks)
            run.executemany("INSERT INTO query_places VALUES (?,?,?,?,?,?)", queries)
            run.executemany("INSERT INTO refusals VALUES (?,?,?,?,?,?)", refusals)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """What is written is written as a whole. Raises WriteFailed if it cannot be: nothing more is written then."""
        run = self._connection
        try:
            run.execute("BEGIN")
            yield run
            run.execute("COMMIT")
        except sqlite3.Error as error:
            self._failed = True
            raise table_failed(self._path, error) from None
        finally:
            if run.in_transaction:
                run.rollback()

    def _go_on(self, earlier: Earlier) -> None:
        """Take back what came after the moment from which the run goes on, and say where its states come from."""
        run, nodes = self._connection, earlier.nodes
        waiting = [(node,) for node in earlier.waiting]
        run.execute("BEGIN")
        for table, column in _COLUMNS:
            run.execute(f"DELETE FROM {table} WHERE {column} >= ?", (nodes,))
        run.executemany("DELETE FROM states WHERE id = ?", waiting)
        run.executemany("DELETE FROM prunes WHERE id = ?", waiting)
        run.executemany("DELETE FROM forked WHERE node = ?", waiting)
        links = [(node, nodes + place, *_place(None)) for place, node in enumerate(earlier.waiting)]
        run.executemany("INSERT INTO forks VALUES (?,?,?,?,?)", links)
        run.execute("DELETE FROM coverage")
        run.execute("DELETE FROM ran")
        run.execute("COMMIT")

    def close(self, queries: Mapping[str, float], coverage: list[Row], ran: Sequence[str]) -> None:
        """Write the rest, the solver's counts, the coverage of every branch edge, and the functions that have run.

        Raises WriteFailed.
        """
        self.flush()
        self._write_places()
        with self._transaction() as run:
            run.executemany("INSERT OR REPLACE INTO queries VALUES (?,?)", list(queries.items()))
            run.executemany("INSERT INTO coverage VALUES (?,?,?,?,?,?)", coverage)
            run.executemany("INSERT INTO ran VALUES (?)", [(name,) for name in ran])
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
        row = (node, ended, detail, *_place(position), state.instructions, state.depth, stands_for, test)
        self._states.append(row)


def _place(position: Position | None) -> Row:
    return (None, None, None) if position is None else (position.file, position.line, position.function)


def read_database(path: Path) -> Connection:
    """Open the run.db of a run for reading. Raises InputError if there is none or it cannot be read.

    All that is read until it is closed is of one moment: a run that still goes on waits so long with its next rows.
    """
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    try:
        mode = "rw" if path.with_name(f"{path.name}-journal").exists() else "ro"
        # If the run was killed during a transaction, SQLite must first roll that back.
        place = f"file:{quote(os.fsencode(path.resolve()))}?mode={mode}"
        database = sqlite3.connect(place, uri=True, isolation_level=None)
        try:
            database.execute("BEGIN")
            database.execute("SELECT 1 FROM states, learnt LIMIT 1")
        except sqlite3.Error:
            database.close()
            raise
    except sqlite3.Error as problem:
        raise InputError(f"{path} cannot be read: {problem}") from None
    return database


def copied_database(path: Path) -> Connection:
    """A copy of the run.db of a run that may still be writing it, which it need not wait for. Raises InputError."""
    with contextlib.closing(read_database(path)) as database:
        copy = sqlite3.connect(":memory:")
        try:
            database.backup(copy)
        except sqlite3.Error as problem:
            copy.close()
            raise InputError(f"{path} cannot be read: {problem}") from None
    return copy


def table_failed(target: Path, error: sqlite3.Error) -> WriteFailed:
    """The error for an SQLite file that cannot be written: one line."""
    code = getattr(error, "sqlite_errorcode", 0) & _PRIMARY
    if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and not _has_room(target)):
        return DiskFull(f"cannot write {target}: the disk is full")
    return WriteFailed(f"cannot write {target}: {gone(target) or _TROUBLES.get(code, str(error))}")


def _has_room(target: Path) -> bool:
    """Whether a file may grow: SQLite does not say which errors of the system are about room."""
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
