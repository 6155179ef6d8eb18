"""One exploration: its parts, its time, the stack of wrappers around the parts, and how it ended."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from unfork.commands.assemble import outputs, replaying
from unfork.commands.assemble.assumptions import assumed
from unfork.commands.assemble.checks import Checks
from unfork.commands.assemble.choices import choose
from unfork.commands.assemble.parts import assemble
from unfork.commands.assemble.solving import Backend
from unfork.commands.assemble.step_stack import StepWrappers, stacked
from unfork.commands.run.exploring_again import ExploredRound, explore_until_exact
from unfork.commands.run.work_meter import WorkMeter
from unfork.engine.explore.endings import Breakable, Deadline, Interrupt, TimeIsOver
from unfork.engine.explore.examples import Exemplified, InTime
from unfork.engine.explore.limits import Budget, RunLimits
from unfork.engine.explore.loop import Exploration
from unfork.engine.explore.surviving import SurvivingJoiner, SurvivingObserver, SurvivingPruner, SurvivingStepper
from unfork.engine.explore.tally import AttentionMachine, Metered
from unfork.engine.protocols.events import Left, Observer
from unfork.engine.protocols.frontier import Frontier
from unfork.engine.protocols.stopper import Bound, Stopper
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.failures import INTERNAL_ERROR, NO_MEMORY, Failures, Survival
from unfork.logic.terms.term_table import count_requests
from unfork.options.options import Options
from unfork.program.llvm.module import Program
from unfork.reduce.merge.refinement import UntilAstray, Watch
from unfork.report.record.directory import Folder, WriteFailed
from unfork.report.record.found_errors import SecondOpinion
from unfork.report.record.recorder import Recorder, make_recorder
from unfork.report.record.written_tests import TestFormat


def _nothing_comes(frontier: Frontier) -> None:
    """Waits for nothing: an exploration that is alone gets no states from others."""


class Explorer:
    """One exploration of ``program``, whose ``files`` its tests name.

    Make it, then its recorder, observers and limits, and loop:

        with explorer.interrupt:
            recorder = explorer.recorder(folder, formats, second)
            observers = explorer.observers(recorder, ())
            explorer.loop(recorder, observers, explorer.limits(recorder, observers))
        print(explorer.stopped_by)
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
        self.interrupt = Interrupt()
        self.deadline = Deadline(budget.began, budget.seconds, self.interrupt)
        self.failures = Failures()
        terms = count_requests()
        self.parts = assemble(options, program, arguments, backend, budget)
        self.meter = WorkMeter(self.parts, backend.effort, terms)
        self.first: Sequence[State] = self.parts.first
        """The states that it begins with."""
        self.stopped_by: str | None = None
        """Why it ended; None if everything is explored."""
        self.exploration: Exploration | None = None
        """The loop, once it has begun."""
        self.full: WriteFailed | None = None
        """Why nothing more could be written, if that stopped it."""
        self._effort = backend.effort
        self._breakable = Breakable(self.interrupt)
        self._seconds_before = 0.0
        last = self.deadline.end + self.deadline.slack
        self._replayer = replaying.replayer(
            options, program, BranchCoverage(), self._is_astray, self.parts.engine.chain.solver, last
        )

    def follow_only(self, bound: Callable[[Bound], Bound]) -> None:
        """Also end the paths that ``bound``, put around the bound so far, ends."""
        self.parts = replace(self.parts, bound=bound(self.parts.bound))

    # --- what it tells, and to what

    def recorder(self, directory: Folder, formats: Sequence[TestFormat], second: SecondOpinion) -> Recorder:
        return make_recorder(
            directory,
            (self.files, self.parts.command),
            outputs.policy(self.options, self.deadline),
            formats,
            (self._replayer, second),
            self.parts.engine.coverage,
            self.parts.tally,
            self.parts.traces,
        )

    def observers(self, recorder: Recorder, others: Sequence[Observer]) -> list[Observer]:
        """The observers of events: those that must see every event, ``others`` among them, then the interruptible."""
        parts = self.parts
        observers = self.whole(
            (parts.tally, parts.share, parts.placing, parts.traces, parts.assumptions, recorder, *others)
        )
        interruptible = (*self.proofs.observers, *parts.pruned.observers, *parts.scheduled.observers)
        observers += [SurvivingObserver(each, self.failures, self._breakable) for each in interruptible]
        parts.pruned.heed(self.is_over)
        if not choose(self.options).tests.all_errors:
            parts.pruned.trust(recorder.has_reported)
        return observers

    def whole(self, observers: Sequence[Observer]) -> list[Observer]:
        """The observers, such that nothing interrupts them and their failures interrupt nothing."""
        uninterrupted = contextlib.nullcontext()
        return [SurvivingObserver(each, self.failures, uninterrupted, WriteFailed) for each in observers]

    def tests_now(self, writer: Observer, is_wanted: Callable[[State], bool]) -> Callable[[], None]:
        """A function that writes a test for each waiting state where one ``is_wanted``; the states go on."""

        def write() -> None:
            for state in self.parts.scheduled.frontier:
                if self.is_over():
                    return
                if is_wanted(state):
                    writer.tell(Left(state))

        return write

    # --- the run

    def limits(self, recorder: Recorder, observers: Sequence[Observer]) -> RunLimits:
        until = partial(self._until, recorder)
        return RunLimits(self.budget, self.parts.tally, self.interrupt, self._forget, observers, until)

    def loop(
        self,
        recorder: Recorder,
        observers: list[Observer],
        stopper: Stopper,
        wait: Callable[[Frontier], str | None] = _nothing_comes,
    ) -> None:
        """Explore to the end, or until ``stopper`` stops it, which includes the ``limits``. ``stopped_by`` says why.

        When nothing waits any more, ``wait`` returns once states have come, or the reason why none will.
        """
        watch = Watch(self.parts.refinement)
        exploration = self.exploration = self._stack(recorder, observers, stopper, watch)
        try:
            self.stopped_by = self._explore(exploration, recorder, watch, wait)
        except KeyboardInterrupt:
            self._break_off("interrupt")
        except MemoryError as error:
            self.failures.note(error, "the exploration")
            self._break_off(NO_MEMORY)
        except WriteFailed as failed:
            self._break_off(failed.stop)
            self.full = failed
        except TimeIsOver as over:
            reason = "interrupt" if self.interrupt.requested else "max-time"
            self._leave(exploration, over.args[0] if over.args else reason)
        except Exception as error:  # noqa: BLE001  # the results so far are worth keeping
            self.failures.note(error, "the exploration")
            self._leave(exploration, INTERNAL_ERROR)

    def _stack(self, recorder: Recorder, observers: Sequence[Observer], stopper: Stopper, watch: Watch) -> Exploration:
        """Algorithm 1 with its parts, each inside its wrappers."""
        parts, failures, breakable = self.parts, self.failures, self._breakable
        coverage = parts.engine.coverage
        (writer,) = self.whole((recorder,))
        wrappers = StepWrappers(
            metered=partial(Metered, tally=parts.tally),
            attention=partial(AttentionMachine, counting=parts.placing, covered=coverage.covered, work=self.meter.work),
            surviving=partial(SurvivingStepper, failures=failures, breakable=breakable),
            examples=partial(Exemplified, coverage=coverage, writer=writer),
        )
        stopper = InTime(stopper, self.meter.work, self.tests_now(writer, recorder.is_early))  # tests of waiting states
        stopper = UntilAstray(watch, stopper)  # too many forks of states that stand for too much
        return Exploration(
            stacked(parts.stepper, wrappers),
            parts.pruned.yielding,
            parts.scheduled.frontier,
            parts.bound,
            SurvivingPruner(parts.pruned.pruner, failures, breakable),
            SurvivingJoiner(parts.scheduled.joiner, failures, breakable),
            stopper,
            parts.graph,
            [*observers, watch],
            parts.whereabouts,
        )

    def _explore(
        self, exploration: Exploration, recorder: Recorder, watch: Watch, wait: Callable[[Frontier], str | None]
    ) -> str | None:
        tally, statistics = self.parts.tally, self.parts.engine.chain.statistics
        frontier = self.parts.scheduled.frontier
        first = [state.fork() for state in self.first] if self.parts.infers else []
        bounds = tally.bounds_hit.copy()
        states = self.first

        def explore() -> ExploredRound:
            reason = exploration.run(states)
            while reason is None and (reason := wait(frontier)) is None and frontier:
                reason = exploration.go_on()
            suspects = [each for some in watch.suspected(recorder.alarming).values() for each in some]
            return ExploredRound(reason, suspects, statistics.unknown > 0, self.parts.engine.chain)

        def forget() -> None:
            nonlocal states
            recorder.withdraw(watch.suspected(recorder.alarming))
            watch.begin_again()
            tally.begin_again(bounds)
            statistics.unknown = 0
            exploration.move(list(frontier))
            self.parts.share.begin_again()
            tally.waiting = 0
            states = [state.fork() for state in first]

        return explore_until_exact(self.parts.refinement, explore, forget).reason

    def _break_off(self, reason: str) -> None:
        """Count the state that was under way and those that wait as left, without telling observers."""
        self.parts.tally.left += 1 + len(self.parts.scheduled.frontier)
        self.stopped_by = reason

    def _leave(self, exploration: Exploration, reason: str) -> None:
        """Tell observers of the waiting states, as the loop does at a limit; the state that was under way is lost."""
        self.parts.tally.left += 1
        self.stopped_by = reason
        try:
            with Survival(self.failures, "what was left", WriteFailed):
                self._forget()
                for state in self.parts.scheduled.frontier:
                    exploration.tell(Left(state))
        except WriteFailed as failed:
            self.not_written(failed)

    def not_written(self, failed: WriteFailed) -> None:
        self.full = failed
        self.stopped_by = failed.stop

    def go_on(self, states: Sequence[State], work: int, seconds: float) -> None:
        """Begin with ``states`` of another process, which has done so much. Its counts were taken over before."""
        self.first = states
        self.meter.go_on(work)
        self._seconds_before = seconds

    def pause_by(self, rest: Callable[[], None]) -> None:
        """Call ``rest`` after each query in the middle of an interruptible step; nothing interrupts ``rest``."""

        def pause() -> None:
            if self.interrupt.impatient:
                self.interrupt.impatient = False
                rest()
                self.interrupt.impatient = True

        self._effort.pause = pause

    # --- what is known of it

    def is_over(self) -> bool:
        return self.interrupt.requested or time.monotonic() > self.parts.engine.chain.deadline

    def seconds(self) -> float:
        """Seconds that the run has taken, earlier processes included."""
        return self._seconds_before + time.monotonic() - self.budget.began

    def branches(self) -> tuple[float, int]:
        """The seconds of the run, and the number of covered branch edges."""
        return self.seconds(), self.parts.engine.coverage.covered.count(1)

    def assumptions(self) -> tuple[str, ...]:
        return assumed(self.options, self.parts)

    def has_run(self, name: str) -> bool:
        return self.parts.engine.machine.has_run(name) or self._replayer.has_run(name)

    # --- time and memory

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
