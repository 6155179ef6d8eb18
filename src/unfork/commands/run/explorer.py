"""One exploration: the parts that its options name, the loop that runs them, and what ends it from outside."""

from __future__ import annotations

import contextlib
import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from unfork.commands.assemble import outputs, replaying
from unfork.commands.assemble.assumptions import assumed
from unfork.commands.assemble.checks import Checks
from unfork.commands.assemble.choices import choose
from unfork.commands.assemble.parts import assemble
from unfork.commands.assemble.solving import Backend
from unfork.commands.assemble.step_stack import StepWrappers, stacked
from unfork.engine.explore.endings import Breakable, Deadline, Interrupt, TimeIsOver
from unfork.engine.explore.examples import Exemplified, InTime
from unfork.engine.explore.limits import Budget, RunLimits
from unfork.engine.explore.loop import Exploration
from unfork.engine.explore.surviving import SurvivingJoiner, SurvivingObserver, SurvivingPruner, SurvivingStepper
from unfork.engine.explore.tally import AttentionMachine, Metered
from unfork.engine.protocols.events import Left, Observer
from unfork.engine.protocols.frontier import Frontier
from unfork.engine.protocols.stopper import Stopper
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.failures import INTERNAL_ERROR, NO_MEMORY, Failures, Survival
from unfork.logic.terms.term_table import count_requests
from unfork.options.options import Options
from unfork.program.llvm.module import Program
from unfork.reduce.merge.refinement import ASTRAY, UntilAstray, Watch
from unfork.report.record.directory import Folder, WriteFailed
from unfork.report.record.recorder import Recorder, SecondOpinion, TestFormat

_INSTRUCTION, _FORK, _TERM, _TICK = 0.4, 240, 5, 29
_ATTEMPT, _CHECK, _COMPARISON, _LEARNING = 1_400, 540, 140, 2
"""Microseconds for an instruction, a fork, a term that is asked for, a tick of a solver, an attempt to join, a state
that a pruner looks at, a pair of states that it compares, what learning counts (docs/history/benchmarks.md)."""

_GOOD_PART = 10
"""One part in so many of the work is worth a strategy of its own."""


def _nothing_comes(frontier: Frontier) -> None:
    """Of an exploration that is alone."""


class Explorer:
    """One exploration of ``program``, whose ``files`` are named in its tests.

    ``stopped_by`` is None once everything is explored, and else says what stopped it.
    """

    def __init__(
        self,
        files: tuple[str, ...],
        options: Options,
        arguments: tuple[str, ...],
        program: Program,
        backend: Backend,
        proving: Checks,
        budget: Budget,
    ) -> None:
        self.files = files
        self.options = options
        self.program = program
        self.proofs = proving
        self.budget = budget
        self._effort = backend.effort
        self._terms = count_requests()
        self.interrupt = Interrupt()
        self.deadline = Deadline(budget.began, budget.seconds, self.interrupt)
        self.failures = Failures()
        self.parts = assemble(options, program, arguments, backend, budget)
        self.first: Sequence[State] = self.parts.first
        """The states that it begins with."""
        self._work_before, self._seconds_before = 0, 0.0
        """What was done by a process whose work this one goes on with."""
        self.stopped_by: str | None = None
        self.exploration: Exploration | None = None
        """What runs, once it has begun."""
        self.full: WriteFailed | None = None
        """Why nothing more could be written, if that stopped it."""

    def recorder(self, directory: Folder, formats: Sequence[TestFormat], second: SecondOpinion) -> Recorder:
        """What writes tests and errors into ``directory``."""
        last = self.deadline.end + self.deadline.slack
        self.replayer = replaying.replayer(
            self.options, self.program, BranchCoverage(), self._is_astray, self.parts.engine.chain.solver, last
        )
        return Recorder(
            directory,
            (self.files, self.parts.command),
            outputs.policy(self.options, self.deadline),
            formats,
            (self.replayer, second),
            self.parts.engine.coverage,
            self.parts.tally,
            self.parts.traces,
        )

    def observers(self, recorder: Recorder, others: Sequence[Observer]) -> list[Observer]:
        """The observers of events. Nothing interrupts ``others``, and their failures interrupt nothing."""
        parts = self.parts
        told = self.whole((parts.tally, parts.placing, parts.traces, parts.assumptions, recorder, *others))
        breakable = Breakable(self.interrupt)
        interruptible = (*self.proofs.observers, *parts.pruned.observers)
        told += [SurvivingObserver(observer, self.failures, breakable) for observer in interruptible]
        parts.pruned.heed(self.is_over)
        if not choose(self.options).tests.all_errors:
            parts.pruned.trust(recorder.has_reported)
        return told

    def whole(self, observers: Sequence[Observer]) -> list[Observer]:
        """The observers, so that nothing interrupts them and their failures interrupt nothing."""
        uninterrupted = contextlib.nullcontext()
        return [SurvivingObserver(observer, self.failures, uninterrupted, WriteFailed) for observer in observers]

    def loop(
        self,
        recorder: Recorder,
        observers: list[Observer],
        stopper: Callable[[Stopper], Stopper],
        wait: Callable[[Frontier], str | None] = _nothing_comes,
    ) -> None:
        """Explore to the end, or until the limits, which ``stopper`` may add to, say stop.

        Where nothing waits any more, ``wait`` returns once there is something again, or why nothing more comes.
        """
        until = partial(self._until, recorder)
        limits = RunLimits(self.budget, self.parts.tally, self.interrupt, self._forget, observers, until)
        breakable = Breakable(self.interrupt)
        frontier = self.parts.scheduled.frontier
        (writer,) = self.whole((recorder,))
        watch, beginning = Watch(self.parts.refinement), self._beginning()
        self.exploration = exploration = Exploration(
            stacked(self.parts.stepper, self._wrappers(writer, breakable)),
            self.parts.pruned.yielding,
            frontier,
            self.parts.bound,
            SurvivingPruner(self.parts.pruned.pruner, self.failures, breakable),
            SurvivingJoiner(self.parts.scheduled.joiner, self.failures, breakable),
            UntilAstray(watch, InTime(stopper(limits), self.work, self.tests_now(writer, recorder.is_early))),
            self.parts.graph,
            [*observers, watch],
            self.parts.whereabouts,
        )
        try:
            with Survival(self.failures, "the exploration", WriteFailed, MemoryError):
                self.stopped_by = INTERNAL_ERROR  # unless it ends by itself
                reason = exploration.run(self.first)
                while reason is None and (reason := wait(frontier)) is None and frontier:
                    reason = exploration.go_on()
                while reason in (None, ASTRAY) and self._begins_again(reason, watch, recorder, beginning[1]):
                    reason = exploration.run(self._again(exploration, beginning[0]))
                self.stopped_by = reason
                return
        except KeyboardInterrupt:
            self.parts.tally.left += 1 + len(self.parts.scheduled.frontier)
            self.stopped_by = "interrupt"
            return
        except MemoryError as error:
            self.parts.tally.left += 1 + len(self.parts.scheduled.frontier)
            self.failures.note(error, "the exploration")
            self.stopped_by = NO_MEMORY
            return
        except TimeIsOver as over:
            self.stopped_by = over.args[0] if over.args else "interrupt" if self.interrupt.requested else "max-time"
        except WriteFailed as failed:
            self.parts.tally.left += 1 + len(self.parts.scheduled.frontier)
            self.not_written(failed)
            return
        self.parts.tally.left += 1
        self._leave(exploration)

    def _wrappers(self, writer: Observer, breakable: Breakable) -> StepWrappers:
        """The steppers around that of the parts; ``writer`` writes the tests of examples."""
        coverage = self.parts.engine.coverage
        return StepWrappers(
            metered=partial(Metered, tally=self.parts.tally),
            attention=partial(AttentionMachine, counting=self.parts.placing, covered=coverage.covered, work=self.work),
            surviving=partial(SurvivingStepper, failures=self.failures, breakable=breakable),
            examples=partial(Exemplified, coverage=coverage, writer=writer),
        )

    def _beginning(self) -> tuple[Sequence[State], Counter[str]]:
        """The first states, if all may be explored again, and the bounds that were hit before that."""
        first = [state.fork() for state in self.first] if self.parts.infers else []
        return first, self.parts.tally.bounds_hit.copy()

    def _begins_again(self, reason: str | None, watch: Watch, recorder: Recorder, bounds: Counter[str]) -> bool:
        """Whether all is to be explored again, since joins forgot what matters; what that came to counts no more."""
        refinement = self.parts.refinement
        spurious = watch.spurious(recorder.alarming)
        if reason == ASTRAY:
            refinement.blame_all()
        if self.parts.engine.chain.statistics.unknown and not spurious:
            refinement.blame_all()
        if not refinement.begins_again(self.parts.engine.chain):
            return False
        recorder.withdraw(spurious)
        watch.begin_again()
        self.parts.tally.begin_again(bounds)
        self.parts.engine.chain.statistics.unknown = 0
        return True

    def _again(self, exploration: Exploration, first: Sequence[State]) -> list[State]:
        """The first states once more, where nothing waits."""
        exploration.move(list(self.parts.scheduled.frontier))
        self.parts.tally.waiting = 0
        return [state.fork() for state in first]

    def not_written(self, failed: WriteFailed) -> None:
        """Nothing more can be written."""
        self.full = failed
        self.stopped_by = failed.stop

    def is_over(self) -> bool:
        """Whether exploration must stop."""
        return self.interrupt.requested or time.monotonic() > self.parts.engine.chain.deadline

    def pause_by(self, rest: Callable[[], None]) -> None:
        """In the middle of what may be broken off, after each query, ``rest``: nothing breaks that off."""

        def pause() -> None:
            if self.interrupt.impatient:
                self.interrupt.impatient = False
                rest()
                self.interrupt.impatient = True

        self._effort.pause = pause

    def go_on(self, states: Sequence[State], work: int, seconds: float) -> None:
        """Begin with ``states`` of another process, which had done so much; counts have been taken over already."""
        self.first = states
        self._work_before += work - self.work()
        self._seconds_before = seconds

    def tests_now(self, writer: Observer, is_wanted: Callable[[State], bool]) -> Callable[[], None]:
        """Writes a test for each waiting state where one ``is_wanted``; they go on."""

        def write() -> None:
            for state in self.parts.scheduled.frontier:
                if self.is_over():
                    return
                if is_wanted(state):
                    writer.tell(Left(state))

        return write

    def seconds(self) -> float:
        """How long the run has taken so far."""
        return self._seconds_before + time.monotonic() - self.budget.began

    def work(self) -> int:
        """What exploration has cost so far: about as many microseconds, but the same whenever it is repeated."""
        parts, effort = self.parts, self._effort
        terms, attempts = count_requests() - self._terms, parts.scheduled.counts.attempts
        return self._work_before + int(
            _INSTRUCTION * parts.tally.instructions
            + _FORK * parts.tally.forks
            + _TERM * terms
            + _TICK * effort.ticks
            + _ATTEMPT * attempts
            + _CHECK * parts.pruned.counts.checks
            + _COMPARISON * parts.pruned.counts.compared
            + _LEARNING * parts.pruned.spent()
        )

    def has_hard_queries(self) -> bool:
        """Whether queries that take a solver long make a good part of the work."""
        return self.parts.engine.chain.hard_ticks * _TICK > self.work() / _GOOD_PART

    def assumptions(self) -> tuple[str, ...]:
        """What exploration has taken for granted so far, in words."""
        return assumed(self.options, self.parts)

    def has_run(self, name: str) -> bool:
        """Whether a function has run, if only in a replay."""
        return self.parts.engine.machine.has_run(name) or self.replayer.has_run(name)

    def _leave(self, exploration: Exploration) -> None:
        """After an interrupted exploration, tell of the waiting states as it would have done itself."""
        try:
            with Survival(self.failures, "what was left", WriteFailed):
                self._forget()
                for state in self.parts.scheduled.frontier:
                    exploration.tell(Left(state))
        except WriteFailed as failed:
            self.not_written(failed)

    def _until(self, recorder: Recorder, waiting: int) -> float:
        """When exploration must stop so that the tests due by then can still be written."""
        due = min(waiting, self.parts.engine.coverage.open())
        until = self.parts.engine.chain.deadline = self.deadline.until(due, recorder.seconds_per_test)
        if until < math.inf and not self.interrupt.requested:
            self.interrupt.wake(until + self.deadline.slack)
        return until

    def _forget(self) -> None:
        self.parts.engine.chain.forget()
        self.parts.pruned.forget()
        self.proofs.forget()

    def _is_astray(self, state: State) -> bool:
        """Whether a replay must have left its path: it takes far longer than the run did, or time is up."""
        return state.instructions > 2 * self.parts.tally.instructions + 1_000_000 or self.deadline.is_long_over()
