"""What an exploration has come to, so that another process can go on from there, and the stopper that saves it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from unfork.api.explorer import Explorer
from unfork.contracts.frontier import Frontier
from unfork.contracts.stopper import Stopper
from unfork.errors import InputError
from unfork.execute.coverage import SavedCoverage
from unfork.execute.machine import SavedMachine
from unfork.explore.failures import Failure
from unfork.explore.tally import Tally
from unfork.logic.solver import Statistics
from unfork.merge.meetings import MergeCounts
from unfork.prune.contract import PruneCounts
from unfork.race.messages import Standing
from unfork.race.referee import ELSEWHERE
from unfork.report.journal import Journal, Kept
from unfork.report.recorder import Recorder
from unfork.state.packed import Surroundings, Unreadable, pack, unpack
from unfork.state.state import State

EACH = 10.0
"""Seconds between two entries of the journal: so much work is lost at most when a process is killed."""
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that an exploration knows but the states that wait, what it has learnt and its random numbers.

    ``nodes`` is how many nodes its execution graph has, ``outbox`` the tests that were not sent yet, and ``standings``
    are those of a race that it leads.
    """

    machine: SavedMachine
    coverage: SavedCoverage
    tally: Tally
    statistics: Statistics
    merges: MergeCounts
    prunes: PruneCounts
    assumptions: tuple[str, ...]
    failures: tuple[Failure, ...]
    recorder: Mapping[str, Any]
    work: int
    seconds: float
    nodes: int
    outbox: Mapping[str, str]
    standings: tuple[Standing, ...]


def surroundings(explorer: Explorer) -> Surroundings:
    """What the states of an exploration name instead of holding it."""
    memory = explorer.parts.machine.statics.memory()
    beginnings = memory.objects.beginnings
    assert beginnings is not None
    return Surroundings(explorer.program, beginnings)


def snapshot(
    explorer: Explorer, recorder: Recorder, outbox: Mapping[str, str], standings: tuple[Standing, ...]
) -> Snapshot:
    """What the exploration has come to."""
    parts = explorer.parts
    return Snapshot(
        parts.machine.saved(),
        parts.coverage.saved(),
        parts.tally,
        parts.statistics,
        parts.scheduled.counts,
        parts.pruned.counts,
        tuple(parts.assumptions.words()),
        tuple(explorer.failures.all()),
        recorder.saved(),
        explorer.work(),
        explorer.seconds(),
        len(parts.graph),
        outbox,
        standings,
    )


def restore(explorer: Explorer, recorder: Recorder, kept: Kept) -> Snapshot:
    """Let an exploration that has not begun go on where another process was. Raises InputError."""
    parts, around = explorer.parts, surroundings(explorer)
    try:
        saved: Snapshot = unpack(kept.snapshot, around)
        parts.machine.restore(saved.machine)
        states = kept.states(lambda data: unpack(data, around))
        parts.coverage.restore(saved.coverage, states)
    except (Unreadable, ValueError, LookupError) as problem:
        raise InputError(f"the journal does not fit the program: {problem}") from None
    for target, source in (
        (parts.tally, saved.tally),
        (parts.statistics, saved.statistics),
        (parts.scheduled.counts, saved.merges),
        (parts.pruned.counts, saved.prunes),
    ):
        _become(target, source)
    tally = parts.tally
    tally.created, tally.waiting, tally.left = tally.created - len(states), 0, 0  # they are about to begin once more
    parts.assumptions.restore(saved.assumptions)
    for failure in saved.failures:
        explorer.failures.keep(failure)
    parts.graph.skip(saved.nodes)
    recorder.restore(saved.recorder)
    explorer.go_on(states, saved.work, saved.seconds)
    return saved


def _become(target: T, source: T) -> None:
    """Counts are shared by many parts, so the object stays and gets other contents."""
    for field in fields(target):  # type: ignore[arg-type]  # a dataclass
        setattr(target, field.name, getattr(source, field.name))


class Saving:
    """A stopper that saves what there is every few seconds, and when a limit stops the exploration."""

    def __init__(
        self, stopper: Stopper, journal: Journal, taken: Callable[[], Snapshot], clock: Callable[[], float] = monotonic
    ) -> None:
        self._stopper = stopper
        self._journal = journal
        self._taken = taken
        self._clock = clock
        self._due = clock() + EACH

    def look(self, frontier: Frontier) -> str | None:
        """What the stopper says. Raises WriteFailed."""
        reason = self._stopper.look(frontier)
        if reason == ELSEWHERE:
            return reason
        if reason is not None or self._clock() >= self._due:
            self._journal.save(frontier.waiting(), self._taken())
            self._due = self._clock() + EACH
        return reason


def journal(explorer: Explorer, directory: Path, strategy: str) -> Journal:
    """Where an exploration is saved. Raises WriteFailed."""
    return Journal(directory, strategy, partial(pack, surroundings=surroundings(explorer)))
