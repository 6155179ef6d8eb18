"""Begins a run with a corpus: replays the seeds, follows those that add coverage, and keeps the sides beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from unfork.commands.assemble import starting
from unfork.commands.run.explorer import Explorer
from unfork.engine.protocols.outcome import Failed, Outcome, Running
from unfork.engine.protocols.stepper import FORKS
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import Edge, Onlooker
from unfork.engine.step.conduct import Conduct
from unfork.engine.step.follow import follow, without_unmodelled
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.seeded import SeededQuestions, UncheckedPath
from unfork.logic.solve.solver import Unsat
from unfork.logic.terms.evaluate import Model
from unfork.report.record.recorder import Recorder
from unfork.report.record.text import plural
from unfork.world.inputs.fuzz_inputs import channel_of, test_of
from unfork.world.inputs.input_values import SeededInputs
from unfork.world.inputs.testcase import TestCase, of_state

PER_EDGE = 4
"""The most states that wait to take one uncovered edge, each beside another place of a seed's path."""
LONGEST = 20_000_000
"""Instructions for which a seed is followed."""


@dataclass(slots=True)
class SownCorpus:
    """What became of a corpus, by number; grows."""

    seeds: int = 0
    kept: int = 0
    errors: int = 0
    lost: int = 0
    """Seeds whose path could not be followed to its end."""
    sides: int = 0
    infeasible: int = 0
    unknown: int = 0
    states: list[State] = field(default_factory=list)
    """The states beside the seeds' paths."""

    def words(self) -> str:
        """What became of it, for people."""
        text = f"--corpus: {plural(self.seeds, 'input')}, of which {self.kept} add coverage"
        text += f" and {plural(self.errors, 'error')}" if self.errors else ""
        sides = f"{len(self.states)} states begin beside them ({plural(self.infeasible, 'side')} infeasible"
        text += f"; {sides}, {self.unknown} not decided)"
        return text + (f"; {self.lost} not followed to the end" if self.lost else "")


def sow(explorer: Explorer, recorder: Recorder, inputs: Sequence[bytes]) -> SownCorpus:
    """Begin the exploration of a program that takes a fuzzer's input with a corpus. Raises WriteFailed."""
    channel = channel_of(explorer.program, explorer.parts.command)
    assert channel is not None
    sown, followed = SownCorpus(), _Sides(explorer)
    for data in inputs:
        if explorer.is_over():
            break
        sown.seeds += 1
        test = test_of(channel, explorer.files, explorer.parts.command, data)
        edges, errors = recorder.sow(test)
        sown.errors += errors
        if edges:
            sown.kept += 1
            followed.tests.append(test)
    for test in followed.tests:
        if explorer.is_over():
            break
        sown.lost += not followed.follow(test)
    followed.check(recorder, sown)
    explorer.first = (*explorer.first, *sown.states)
    return sown


class _Sides:
    """The sides beside the paths of seeds, which wait until a solver checks them."""

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer
        self._coverage = Onlooker(explorer.parts.engine.coverage)
        self._waiting: dict[Edge | str, list[Running | Failed]] = {}
        """By the uncovered edge that they take, or the fault that they end in."""
        self.tests: list[TestCase] = []
        """The seeds to follow."""

    def follow(self, test: TestCase) -> bool:
        """Follow the path of a seed. Returns whether it came to its end."""
        explorer, model = self._explorer, Model({})
        source = SeededInputs({each.name: each.data for each in test.inputs}, model)
        machine = explorer.parts.engine.machine.following(Conduct(SeededQuestions(model), source), self._coverage)
        self._coverage.renew()
        started = starting.start(explorer.options)(machine, explorer.parts.command)
        if len(started) != 1:
            return False
        outcome: Outcome | None = None
        for outcome in follow(machine, started[0], FORKS, partial(self._own)):
            if isinstance(outcome, Running) and (outcome.state.instructions > LONGEST or explorer.is_over()):
                return False
        return outcome is not None and not isinstance(outcome, Running)

    def _own(self, outcomes: list[Outcome]) -> list[Outcome]:
        """The seed's own side. The others wait, if they show something new."""
        own: list[Outcome] = []
        for outcome in without_unmodelled(outcomes):
            if not isinstance(outcome.state.path, UncheckedPath):
                own.append(outcome)
            elif isinstance(outcome, Failed):
                where = outcome.fault.position
                self._keep(f"{outcome.fault.kind} {where.file}:{where.line}" if where else outcome.fault.kind, outcome)
            elif isinstance(outcome, Running):
                for number in self._coverage.unsettled(outcome.state.pending)[-1:]:
                    self._keep(self._coverage.edges[number], outcome)
        return own

    def _keep(self, key: Edge | str, outcome: Running | Failed) -> None:
        waiting = self._waiting.setdefault(key, [])
        if len(waiting) < PER_EDGE:
            waiting.append(outcome)

    def check(self, recorder: Recorder, sown: SownCorpus) -> None:
        """Ask the solver which sides are feasible: errors become tests, and the rest states of ``sown``."""
        chain = self._explorer.parts.engine.chain
        for outcome in self._in_turn():
            if self._explorer.is_over():
                return
            path = outcome.state.path
            assert isinstance(path, UncheckedPath)
            sown.sides += 1
            checked = chain.assume(path.before, path.condition)
            if not isinstance(checked, PathCondition):
                sown.infeasible += isinstance(checked, Unsat)
                sown.unknown += not isinstance(checked, Unsat)
                continue
            outcome.state.path = checked
            if isinstance(outcome, Failed):
                command = self._explorer.parts.command
                test = of_state(outcome.state, outcome, self._explorer.files, command, ())
                sown.errors += recorder.sow(test)[1]
            else:
                self._hand_over(outcome.state)
                sown.states.append(outcome.state)

    def _in_turn(self) -> Iterator[Running | Failed]:
        """The sides, one of each edge or fault at a time."""
        for position in range(PER_EDGE):
            for waiting in self._waiting.values():
                yield from waiting[position : position + 1]

    def _hand_over(self, state: State) -> None:
        """Number the edges that the state took as the exploration does."""
        program, coverage = self._explorer.program, self._explorer.parts.engine.coverage
        pending, state.pending = state.pending, ()
        for number in pending:
            coverage.hit(state, coverage.number_of_edge(self._coverage.edges[number], program))
