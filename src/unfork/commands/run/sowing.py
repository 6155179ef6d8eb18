"""Begins a run with a corpus: replays the seeds, follows those that add coverage, and turns into the sides beside them.

What a side leads to is replayed, and followed like a seed if it adds coverage in turn (Godefroid08, generational
search). The states of these sides then wait like any other.
"""

from __future__ import annotations

import contextlib
import heapq
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from unfork.commands.assemble import starting
from unfork.commands.run.explorer import Explorer
from unfork.commands.run.seed_conduct import SeedConduct
from unfork.engine.explore.distance import branch_targets
from unfork.engine.explore.endings import TimeIsOver, breakable_from
from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.outcome import Failed, Outcome, Running
from unfork.engine.protocols.stepper import FORKS
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import Edge, Onlooker
from unfork.engine.step.follow import follow, without_unmodelled
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.seeded import SeededQuestions, UncheckedPath
from unfork.logic.solve.solver import FOREVER, Feasibility, Unknown, Unsat
from unfork.logic.terms.evaluate import Model
from unfork.program.llvm.module import Block, Program
from unfork.report.record.adopted_tests import SownTest
from unfork.report.record.recorder import Recorder
from unfork.report.record.seed_sides import SeedSides
from unfork.report.record.text import plural
from unfork.world.inputs.fuzz_inputs import channel_of, test_of
from unfork.world.inputs.input_values import SeededInputs
from unfork.world.inputs.testcase import TestCase, of_state

AT_ONCE = 4
"""The most sides of one path that take the same uncovered edge. This and the next two were set without a trial."""
ATTEMPTS = 16
"""The most sides that are checked for one edge."""
LONGEST = 20_000_000
"""Instructions for which a seed is followed."""
MOST_DECISIONS = 20_000
"""Decisions on one seed's path; the sides until then count. Chosen on cJSON with its own test files, where printing
symbolic floating-point numbers decides without end.
"""
_LONGER = 2.0
"""Seconds after its time for which a seed is still followed: what it came to would be lost."""
_Side = Running | Failed


@dataclass(slots=True)
class SownCorpus:
    """What became of a corpus, by number; grows."""

    seeds: int = 0
    kept: int = 0
    edges: int = 0
    """Branch edges that the seeds cover, and those that the sides beside them cover."""
    more_edges: int = 0
    errors: int = 0
    lost: int = 0
    """Paths that could not be followed to their end."""
    sides: int = 0
    infeasible: int = 0
    unknown: int = 0
    states: list[State] = field(default_factory=list)
    """The states beside the seeds' paths."""
    blocks: SeedSides = field(default_factory=SeedSides)
    """What became of each branch side that seeds came to."""

    def words(self) -> str:
        """What became of it, for people."""
        text = f"--corpus: {plural(self.kept, 'input')} of {self.seeds} add coverage, {self.edges} branches"
        text += f"; {plural(self.sides, 'side')} beside their paths add {self.more_edges}"
        text += f" ({self.infeasible} are infeasible, {self.unknown} not decided)"
        text += f"; {plural(self.errors, 'error')}" if self.errors else ""
        return text + (f"; {self.lost} not followed to the end" if self.lost else "")

    def as_dict(self, program: Program, taken: set[Edge]) -> dict[str, Any]:
        """What became of it, for the summary; tests show the edges ``taken``."""
        names = ("seeds", "kept", "edges", "more_edges", "errors", "lost", "infeasible", "unknown")
        counts = {"inputs" if name == "seeds" else name: getattr(self, name) for name in names}
        return {**counts, "asked": self.sides, "sides": self.blocks.rows(program, taken)}


class SeedField:
    """The seeds that are still to be followed, and what became of the others."""

    def __init__(self, explorer: Explorer, recorder: Recorder) -> None:
        self.sown = SownCorpus()
        self._explorer = explorer
        self._recorder = recorder
        self._coverage = Onlooker(explorer.parts.engine.coverage)
        self._seeds: list[tuple[int, int, TestCase]] = []
        """A heap: each with its rank, and its number in order of arrival."""
        self._arrived = 0
        self._rank = 0
        """The rank of the seed that was followed last; what is beside its path has the same."""
        self._sides: Iterator[tuple[Edge | str, _Side]] = iter(())
        """The sides of its path that were not looked at yet."""
        self._attempts: dict[Edge | str, int] = {}
        """How many sides were checked, by the uncovered edge that they take, or the fault that they end in."""
        channel = channel_of(explorer.program, explorer.parts.command)
        assert channel is not None
        self._channel = channel
        self._until = FOREVER

    def _is_over(self) -> bool:
        return time.monotonic() > self._until or self._explorer.is_over()

    def _is_over_for(self, seconds: float) -> bool:
        return time.monotonic() > self._until + seconds or self._explorer.is_over()

    def test_of(self, data: bytes) -> TestCase:
        """The test that gives the program this input."""
        return test_of(self._channel, self._explorer.files, self._explorer.parts.command, data)

    def replay(self, inputs: Sequence[bytes], until: float) -> Sequence[bytes]:
        """Run inputs; those that add coverage are seeds, and those that fail are errors. Returns those left."""
        self._until = until
        for number, data in enumerate(inputs):
            if self._is_over():
                return inputs[number:]
            self.take(data, 0)
        return ()

    def take(self, data: bytes, rank: int) -> SownTest:
        """Run one input, as ``replay`` does. Seeds of the lowest rank are followed first."""
        self._rank = rank
        done = self._take(self.test_of(data))
        self.sown.seeds += 1
        self.sown.kept += done.edges > 0
        self.sown.edges += done.edges
        self.sown.errors += done.errors
        return done

    def _take(self, test: TestCase) -> SownTest:
        done = self._recorder.sow(test)
        if done.edges:
            heapq.heappush(self._seeds, (self._rank, self._arrived, test))
            self._arrived += 1
        return done

    def has_seeds(self) -> bool:
        """Whether any seed, or side of one, waits."""
        side = next(self._sides, None)
        if side is not None:
            self._sides = chain([side], self._sides)
        return side is not None or bool(self._seeds)

    def follow_all(self, until: float) -> None:
        """Follow the seeds, and what grows of them. What is left goes on at the next call."""
        self._until = until
        while not self._is_over():
            side = next(self._sides, None)
            if side is not None:
                self._check(*side)
            elif self._seeds:
                self._rank, _, test = heapq.heappop(self._seeds)
                sides: dict[Edge | str, list[_Side]] = {}
                self._coverage.renew()
                self.sown.lost += not self._follow_in_time(test, sides)
                self._count(sides)
                self._sides = _in_turn(sides)
            else:
                return

    def _count(self, sides: Iterable[Edge | str]) -> None:
        """Count a path that came to these sides."""
        for key in sides:
            if not isinstance(key, str):
                self.sown.blocks.of(key).reached += 1

    def taken_states(self) -> list[State]:
        """The states beside the seeds' paths that came since the last call."""
        states, self.sown.states = self.sown.states, []
        return states

    def _follow_in_time(self, test: TestCase, sides: dict[Edge | str, list[_Side]]) -> bool:
        """As ``_follow``; a single step, too, is broken off when time is over for long, or at a second Ctrl-C."""
        latest = min(self._until + _LONGER, self._explorer.deadline.end)
        breakable = breakable_from(self._explorer.interrupt, latest, lambda: True)
        with contextlib.suppress(TimeIsOver, KeyboardInterrupt), breakable:
            return self._follow(test, sides)
        return False

    def _follow(self, test: TestCase, sides: dict[Edge | str, list[_Side]]) -> bool:
        """Follow the path of a seed, and fill ``sides``. Returns whether it came to its end."""
        explorer, model = self._explorer, Model({})
        source = SeededInputs({each.name: each.data for each in test.inputs}, model)
        questions = SeededQuestions(model, lambda: self._is_at_news(machine))
        conduct = SeedConduct(questions, source)
        machine = explorer.parts.engine.machine.following_turn_by_turn(conduct, self._coverage)

        def own(outcomes: list[Outcome]) -> list[Outcome]:
            """The seed's own outcome. The others are sides, if they show something new."""
            for outcome in outcomes:
                if isinstance(outcome, _Side) and isinstance(outcome.state.path, UncheckedPath):
                    key = self._news(outcome)
                    known = sides.setdefault(key, []) if key is not None else None
                    if known is not None and len(known) < AT_ONCE and self._may_try(key):
                        known.append(outcome)
            return [each for each in without_unmodelled(outcomes) if not isinstance(each.state.path, UncheckedPath)]

        started = starting.start(explorer.options)(machine, explorer.parts.command)
        if len(started) != 1:
            return False
        outcome: Outcome | None = None
        for outcome in follow(machine, started[0], FORKS, own):
            is_long = outcome.state.instructions > LONGEST or questions.decisions > MOST_DECISIONS
            if isinstance(outcome, Running) and (is_long or self._is_over_for(_LONGER)):
                return False
        return outcome is not None and not isinstance(outcome, Running)

    def _is_at_news(self, machine: Machine) -> bool:
        """Whether a machine is at a branch of the program's own code that has an uncovered edge."""
        frame = machine.step_of_instructions().state.frames[-1]
        function = frame.function
        block = function.blocks[frame.block]
        if frame.index < len(block.body) or function.name in self._explorer.program.library:
            return False
        numbers = [self._coverage.known_number((function.name, frame.block, way)) for way in range(_ways(block))]
        return any(number is not None and not self._coverage.settled[number] for number in numbers)

    def _news(self, side: _Side) -> Edge | str | None:
        """What a side would be the first to show: an edge or a fault."""
        if isinstance(side, Failed):
            where = side.fault.position
            return side.fault.kind if where is None else f"{side.fault.kind} {where.file}:{where.line}"
        fresh = self._coverage.unsettled(side.state.pending)
        return self._coverage.edges[fresh[-1]] if fresh else None

    def _may_try(self, key: Edge | str | None) -> bool:
        return key is not None and self._attempts.get(key, 0) < ATTEMPTS

    def _check(self, key: Edge | str, side: _Side) -> None:
        """Ask the solver whether a side is feasible; then run its input."""
        self._coverage.renew()
        path, sown, explorer = side.state.path, self.sown, self._explorer
        assert isinstance(path, UncheckedPath)
        if self._news(side) is None or not self._may_try(key):
            return  # covered by now, or tried often enough
        self._attempts[key] = self._attempts.get(key, 0) + 1
        sown.sides += 1
        checked = explorer.parts.engine.chain.assume(path.before, path.condition)
        self._note(key, path, checked)
        if not isinstance(checked, PathCondition):
            sown.infeasible += isinstance(checked, Unsat)
            sown.unknown += not isinstance(checked, Unsat)
            return
        side.state.path = checked
        end = side if isinstance(side, Failed) else None
        done = self._take(of_state(side.state, end, explorer.files, explorer.parts.command, ()))
        sown.more_edges += done.edges
        sown.errors += done.errors
        if isinstance(side, Running):
            self._hand_over(side.state)
            sown.states.append(side.state)

    def _note(self, key: Edge | str, path: UncheckedPath, answer: Feasibility) -> None:
        """Count the solver's answer for a side, as the exploration's are counted, too."""
        if isinstance(key, str):
            return
        side, coverage = self.sown.blocks.of(key), self._explorer.parts.engine.coverage
        coverage.answer(coverage.number_of_edge(key, self._explorer.program), answer)
        side.flipped += isinstance(answer, PathCondition)
        side.infeasible += isinstance(answer, Unsat)
        side.unknown += isinstance(answer, Unknown)
        side.inputs = max(side.inputs, len(path.condition.symbols))

    def _hand_over(self, state: State) -> None:
        """Number the edges that the state took as the exploration does."""
        pending, state.pending = state.pending, ()
        for number in self._coverage.numbers_there(pending, self._explorer.program):
            self._explorer.parts.engine.coverage.hit(state, number)


def _ways(block: Block) -> int:
    return len(branch_targets(block))


def _in_turn(sides: dict[Edge | str, list[_Side]]) -> Iterator[tuple[Edge | str, _Side]]:
    """The sides, one of each edge or fault at a time."""
    for position in range(AT_ONCE):
        for key, waiting in sides.items():
            for side in waiting[position : position + 1]:
                yield key, side
