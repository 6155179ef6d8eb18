"""Saves an exploration, so that another process can go on from there."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from unfork.commands.assemble.choices import choose
from unfork.commands.run import messages
from unfork.commands.run.explorer import Explorer
from unfork.commands.run.meetings import unpack_family
from unfork.commands.run.messages import ELSEWHERE, Counts, Shown, Standing
from unfork.engine.explore.endings import Breakable, TimeIsOver
from unfork.engine.machine.machine import SavedMachine
from unfork.engine.protocols.frontier import Frontier
from unfork.engine.protocols.stopper import Stopper
from unfork.engine.state import packed
from unfork.engine.state.packed import StateSurroundings
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import SavedCoverage
from unfork.errors import InputError
from unfork.failures import InternalFailure
from unfork.options.options import VERSION, Options, as_dict
from unfork.report.record.database import EarlierRows
from unfork.report.record.journal import Journal, RunHeader, SavedExploration
from unfork.report.record.journal import begin as begin_journal
from unfork.report.record.recorder import Recorder, SavedRecords
from unfork.world.inputs import file_of_test as test_file

if TYPE_CHECKING:
    from unfork.commands.run.team import Team

EACH = 10.0
"""Seconds between two entries of the journal: a process that is killed loses no more work ..."""
_REST = 20
"""... unless writing an entry takes long: then twenty times as long."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that an exploration knows, except waiting states, interpolants and random numbers.

    ``nodes`` counts the nodes of its execution graph, and ``away`` are the families that its helpers have.
    """

    machine: SavedMachine
    coverage: SavedCoverage
    counts: Counts
    failures: tuple[InternalFailure, ...]
    recorder: SavedRecords
    work: int
    seconds: float
    nodes: int
    away: tuple[bytes, ...]
    left: ExplorationLeftovers


@dataclass(frozen=True, slots=True)
class ExplorationLeftovers:
    """Tests that were not sent yet, its own and those that helpers ``passed_on``, and the standings of its race."""

    outbox: Mapping[str, str] = field(default_factory=dict)
    passed_on: tuple[Shown, ...] = ()
    standings: tuple[Standing, ...] = ()


@dataclass(frozen=True, slots=True)
class EarlierRun:
    """A run to go on with: its directory, and the latest entry of each strategy in its journal."""

    root: Path
    kept: Mapping[str, SavedExploration]

    def adopt(self, recorder: Recorder, instructions: int) -> None:
        """Take over the tests that were written after the last entry of the journal. Raises WriteFailed.

        Each is replayed, for at most twice the ``instructions`` of the run, and written again if it shows anything.
        """
        tests = _test_files(self.root / "tests", len(recorder.tests))
        texts = [file.read_text("utf-8") for file in tests if file.suffix == ".json"]
        for text in texts:
            recorder.adopt(test_file.from_json(text, "a test"), instructions, None)
        for folder in ("tests", "errors"):
            for file in _test_files(self.root / folder, len(recorder.tests)):
                file.unlink()


def _test_files(folder: Path, beyond: int) -> list[Path]:
    files = [file for file in folder.iterdir() if file.name.split(".")[0].isdigit()]
    return sorted(file for file in files if int(file.name.split(".")[0]) > beyond)


def rows_of(before: Snapshot | None, explorer: Explorer) -> EarlierRows:
    """The rows of run.db that stay."""
    if before is None:
        return EarlierRows(0, ())
    return EarlierRows(before.nodes, [state.node for state in explorer.first])


def is_kept(options: Options) -> bool:
    """Whether a journal is kept: only of runs that another process can go on with.

    It cannot go on with proofs and other output beside the run, with tests for each joined path (a journal does not
    keep what states were joined from), or with inferred predicates (the run may begin again).
    """
    looks_beside = any(options.is_given(name) for name in ("count_paths", "audit", "dump_smt"))
    choices = choose(options)
    return (
        not looks_beside
        and not choices.infers
        and not (choices.tests.wanted == "paths" and choices.merge.schedule != "none")
    )


def begin(root: Path, files: Sequence[str], options: Options, arguments: Sequence[str]) -> None:
    """Begin the journal of a run. Raises WriteFailed."""
    begun = RunHeader(tuple(files), as_dict(options), tuple(sorted(options.given)), tuple(arguments))
    begin_journal(root, version(), begun)


def version() -> str:
    """The version of a journal: that of unfork, and the layout of the data in it."""
    return f"{VERSION} ({packed.layout(Snapshot, State)})"


def surroundings(explorer: Explorer) -> StateSurroundings:
    """The data that packed states name instead of holding."""
    memory = explorer.parts.engine.machine.statics.memory()
    beginnings = memory.objects.beginnings
    assert beginnings is not None
    return StateSurroundings(explorer.program, beginnings)


def count(explorer: Explorer, *, is_going: bool = False) -> Counts:
    """The counts of an exploration so far; while it ``is_going`` on, without its assumptions, which take long."""
    parts = explorer.parts
    assumptions = () if is_going else explorer.assumptions()
    statistics, places = parts.engine.chain.statistics, parts.placing.counts
    return Counts(parts.tally, statistics, parts.scheduled.counts, parts.pruned.counts, assumptions, places)


def snapshot(
    explorer: Explorer,
    recorder: Recorder,
    team: Team,
    left: ExplorationLeftovers,
) -> Snapshot:
    """The exploration as it is, with the families of helpers that may have to be explored again."""
    parts, own = explorer.parts, count(explorer, is_going=True)
    counts = team.settled(own)
    tally, assumptions = messages.of_paths(counts.tally, own.tally), tuple(parts.assumptions.words())
    return Snapshot(
        parts.engine.machine.saved(),
        parts.engine.coverage.saved(),
        replace(counts, tally=tally, assumptions=assumptions),
        tuple(explorer.failures.all()),
        recorder.saved(),
        explorer.meter.work(),
        explorer.seconds(),
        len(parts.graph),
        tuple(team.away()),
        left,
    )


def restore(explorer: Explorer, recorder: Recorder, kept: SavedExploration) -> Snapshot:
    """Let an exploration that has not begun go on where another process was. Raises InputError if it does not fit."""
    parts, around = explorer.parts, surroundings(explorer)
    try:
        saved: Snapshot = packed.unpack(kept.snapshot, around)
        parts.engine.machine.restore(saved.machine)
        states = kept.states(lambda data: packed.unpack(data, around))
        parts.engine.coverage.restore(saved.coverage, states)
        away = [state for family in saved.away for state in unpack_family(family, parts.engine.coverage, around)]
        recorder.restore(saved.recorder)
    except (packed.Unreadable, ValueError, LookupError) as problem:
        raise InputError(f"the journal does not fit the program: {problem}") from None
    own = count(explorer, is_going=True)
    for name in ("tally", "statistics", "merges", "prunes", "places"):
        _become(getattr(own, name), getattr(saved.counts, name))
    tally = parts.tally
    tally.created, tally.waiting, tally.left = tally.created - len(states), 0, 0  # they are about to begin once more
    parts.assumptions.restore(saved.counts.assumptions)
    for failure in saved.failures:
        explorer.failures.keep(failure)
    parts.graph.skip(saved.nodes)
    for state in away:
        state.node = -1  # it has none here yet
    explorer.proofs.go_on()
    explorer.go_on([*states, *away], saved.work, saved.seconds)
    return saved


def _become(target: Any, source: Any) -> None:
    """Copy the fields: many parts share the counts, so the object and its counters must stay."""
    for each in fields(target):
        value = getattr(source, each.name)
        if isinstance(value, Counter):
            counter = getattr(target, each.name)
            counter.clear()
            counter.update(value)
        else:
            setattr(target, each.name, value)


class Saving:
    """Saves the exploration every few seconds, and when a limit stops it."""

    def __init__(
        self,
        stopper: Stopper,
        journal: Journal,
        take: Callable[[], Snapshot],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._stopper = stopper
        self._journal = journal
        self._take = take
        self._clock = clock
        self._due = clock() + EACH

    def look(self, frontier: Frontier) -> str | None:
        reason = self._stopper.look(frontier)
        if reason == ELSEWHERE:
            return reason
        began = self._clock()
        if reason is not None or began >= self._due:
            with contextlib.suppress(TimeIsOver):  # then the entry before this one counts
                self._journal.save(frontier.waiting(), self._take())
            now = self._clock()
            self._due = now + max(EACH, _REST * (now - began))
        return reason


def journal(explorer: Explorer, directory: Path, strategy: str) -> Journal:
    """The journal of an exploration. To save there may raise TimeIsOver. Raises WriteFailed."""
    around, breakable = surroundings(explorer), Breakable(explorer.interrupt)

    def pack(value: Any) -> bytes:
        with breakable:
            return packed.pack(value, around)

    return Journal(directory, strategy, pack)
