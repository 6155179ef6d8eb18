"""The journal for resuming a run: one SQLite file in the run directory.

Each strategy of a race writes its own rows from its own process, a transaction at a time. Waiting states do not
change, so each is written once, in a block with others that are new.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from unfork.checked_json import parse
from unfork.engine.protocols.frontier import Ticket
from unfork.engine.state.state import State
from unfork.errors import InputError
from unfork.report.record.database import transaction, writing

JOURNAL = "journal.db"
"""Its file in the run directory."""
_SCHEMA = """
CREATE TABLE run (version TEXT, begun TEXT);
CREATE TABLE explorations (strategy TEXT PRIMARY KEY, waiting BLOB, snapshot BLOB);
CREATE TABLE blocks (strategy TEXT, number INTEGER, states BLOB, PRIMARY KEY (strategy, number));
"""
_PATIENCE = 30.0
"""Seconds to wait for another process's transaction."""
_SPARSE = 4
"""Rewrite a block's waiting states in a new block when at most 1/_SPARSE of its states still wait."""

Packing = Callable[[Any], bytes]
Slot = tuple[int, int]
"""A block, and the index of a state in it."""


class Journal:
    """Saves one strategy's exploration. Raises WriteFailed.

    ``packed`` pickles values that contain states.
    """

    def __init__(self, directory: Path, strategy: str, packed: Packing) -> None:
        self._strategy = strategy
        self._packed = packed
        self._slots: dict[Ticket, Slot] = {}
        self._sizes: dict[int, int] = {}
        self._next = 0
        self._is_new = True
        """Whether all rows of the strategy come from an earlier process."""
        with writing(directory / JOURNAL):
            self._connection = _connect(directory)
        self._directory = directory

    def save(self, waiting: Mapping[Ticket, State], snapshot: Any) -> None:
        """Write the changes since the last time: states that came or went, and the snapshot.

        Packing may be broken off; then nothing has changed.
        """
        slots = {ticket: slot for ticket, slot in self._slots.items() if ticket in waiting}
        alive: dict[int, int] = dict.fromkeys(self._sizes, 0)
        for number, _ in slots.values():
            alive[number] += 1
        gone = {number for number, count in alive.items() if count * _SPARSE <= self._sizes[number]}
        slots = {ticket: slot for ticket, slot in slots.items() if slot[0] not in gone}
        fresh = [ticket for ticket in waiting if ticket not in slots]
        block = self._packed([waiting[ticket] for ticket in fresh])
        for index, ticket in enumerate(fresh):
            slots[ticket] = (self._next, index)
        numbers = array("q", [number for ticket in waiting for number in slots[ticket]])
        strategy, data = self._strategy, zlib.compress(self._packed(snapshot), 1)
        self._slots = slots
        with writing(self._directory / JOURNAL), transaction(self._connection) as run:
            if self._is_new:
                run.execute("DELETE FROM blocks WHERE strategy = ?", (strategy,))
            run.executemany("DELETE FROM blocks WHERE strategy = ? AND number = ?", [(strategy, old) for old in gone])
            if fresh:
                run.execute("INSERT INTO blocks VALUES (?, ?, ?)", (strategy, self._next, zlib.compress(block, 1)))
            run.execute("INSERT OR REPLACE INTO explorations VALUES (?, ?, ?)", (strategy, numbers.tobytes(), data))
        self._is_new = False
        for old in gone:
            del self._sizes[old]
        if fresh:
            self._sizes[self._next] = len(fresh)
            self._next += 1


@dataclass(frozen=True, slots=True)
class SavedExploration:
    """The saved exploration of a strategy, still packed: waiting states by block and index, and the snapshot."""

    snapshot: bytes
    blocks: Mapping[int, bytes]
    waiting: Sequence[Slot]

    def states(self, unpacked: Callable[[bytes], list[State]]) -> list[State]:
        """The states in their waiting order."""
        blocks = {number: unpacked(data) for number, data in self.blocks.items()}
        return [blocks[number][index] for number, index in self.waiting]


@dataclass(frozen=True, slots=True)
class RunHeader:
    """The start of a run; ``options``, and the names in ``given``, are plain data."""

    files: tuple[str, ...]
    options: dict[str, Any]
    given: tuple[str, ...]
    arguments: tuple[str, ...]


def begin(directory: Path, version: str, begun: RunHeader) -> None:
    """Make the journal of a run. Raises WriteFailed."""
    with writing(directory / JOURNAL):
        connection = _connect(directory)
        connection.execute("PRAGMA journal_mode=WAL")
        with transaction(connection) as run:
            for statement in _SCHEMA.split(";")[:-1]:
                run.execute(statement)
            run.execute("INSERT INTO run VALUES (?, ?)", (version, json.dumps(asdict(begun))))
        connection.close()


def end(directory: Path) -> None:
    """Remove the journal of a complete run. Raises WriteFailed."""
    with writing(directory / JOURNAL):
        for suffix in ("", "-wal", "-shm"):
            (directory / (JOURNAL + suffix)).unlink(missing_ok=True)


def read_beginning(directory: Path) -> tuple[str, RunHeader]:
    """The version of unfork that began a run, and the run's header. Raises InputError."""
    with _reading(directory) as run:
        ((version, text),) = run.execute("SELECT version, begun FROM run")
        return version, parse(text, RunHeader)


def read_explorations(directory: Path) -> dict[str, SavedExploration]:
    """The saved exploration of each strategy. Raises InputError."""
    with _reading(directory) as run:
        blocks: dict[str, dict[int, bytes]] = {}
        for strategy, number, data in run.execute("SELECT strategy, number, states FROM blocks"):
            blocks.setdefault(strategy, {})[number] = zlib.decompress(data)
        explorations = {}
        for strategy, slots, data in run.execute("SELECT strategy, waiting, snapshot FROM explorations"):
            numbers = array("q", slots)
            waiting = list(zip(numbers[::2], numbers[1::2], strict=True))
            explorations[strategy] = SavedExploration(zlib.decompress(data), blocks.get(strategy, {}), waiting)
        return explorations


def _connect(directory: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(directory / JOURNAL, timeout=_PATIENCE, isolation_level=None)
    connection.execute("PRAGMA synchronous=NORMAL")
    return connection


@contextmanager
def _reading(directory: Path) -> Iterator[sqlite3.Connection]:
    path = directory / JOURNAL
    if not path.is_file():
        raise InputError(f"{directory} has no {JOURNAL}, so there is nothing to go on with")
    try:
        connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
        try:
            yield connection
        finally:
            connection.close()
    except (sqlite3.Error, zlib.error, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}") from None
