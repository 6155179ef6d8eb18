"""Drives a run: its worker, the race that this leads, the observers, and the run directory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from unfork.commands.assemble import corpora, outputs
from unfork.commands.assemble.building import ProgramFiles
from unfork.commands.assemble.corpora import NO_CORPUS, Corpus
from unfork.commands.assemble.raced_strategies import kind, wants_tests
from unfork.commands.run import campaigns, working
from unfork.commands.run import race as races
from unfork.commands.run.accounting import Accounts
from unfork.commands.run.coordinator import Remote, RemoteExplorers
from unfork.commands.run.explorer import Explorer
from unfork.commands.run.messages import Adopted, Shown
from unfork.commands.run.outlet import FinishedRun, Outlet
from unfork.commands.run.race import Book, Entrant, Race
from unfork.commands.run.saving import EarlierRun, ExplorationLeftovers, begin, is_kept, journal, rows_of
from unfork.commands.run.strategy_plan import StrategyPlan
from unfork.commands.run.strategy_worker import Worker
from unfork.commands.run.watching import watching_run
from unfork.engine.protocols.events import Observer
from unfork.failures import Survival
from unfork.options.options import Options
from unfork.options.strategies import StrategyKind
from unfork.report.record import directory as directories
from unfork.report.record.database import Database
from unfork.report.record.directory import RunDirectory, WriteFailed
from unfork.report.record.recorder import Recorder
from unfork.report.record.summary import SoFar
from unfork.report.replay.second_opinion import NativeCheck, NoCheck
from unfork.world.inputs import file_of_test as test_file

if TYPE_CHECKING:
    from unfork.commands.afterwards.native_check import BuildOrigin
    from unfork.report.page.live import LivePage
    from unfork.report.replay.native_fuzzer import NativeFuzzer


OFTEN = 8
"""A loop with so many forks at one point has no bound in sight ..."""
LONG = 800_000
"""... nor has one that takes so much work without a fork."""


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A run as the user asked for it, and the ``earlier`` run that it goes on with, if any."""

    given: ProgramFiles
    options: Options
    arguments: tuple[str, ...]
    earlier: EarlierRun | None
    corpus: Corpus = NO_CORPUS

    def kept(self) -> Path | None:
        """A folder with copies of files that are not where their names say; None if there is none."""
        if self.earlier is not None:
            return self.earlier.root
        return None if self.given.folder is None else Path(self.given.folder.name)


@dataclass(frozen=True, slots=True)
class RunDriver:
    """Explores strategies: the first with ``explorer``, the others in processes of their own or on a cluster.

    ``check`` gives a second opinion on errors, and ``page`` shows the run while it goes on.
    """

    asked: RunRequest
    strategies: Sequence[StrategyPlan]
    explorer: Explorer
    check: NativeCheck | NoCheck
    cluster: RemoteExplorers | None
    page: LivePage | None
    native: NativeFuzzer | None = None
    """Fuzzes natively beside the exploration."""
    origin: BuildOrigin | None = None
    """Builds the program to choose among the inputs of a large corpus by native runs."""

    def run(self, observers: Sequence[Observer]) -> FinishedRun:
        explorer, earlier, options = self.explorer, self.asked.earlier, self.explorer.options
        directory = directories.create(options.out) if earlier is None else RunDirectory(earlier.root)
        with directories.claim(directory), explorer.interrupt:
            recorder = explorer.recorder(directory, outputs.formats(options, lambda: explorer.program), self.check)
            worker = self._worker(recorder)
            race = self._race(directory.root, worker)
            notes = () if self.cluster is None else self.cluster.notes
            accounts = Accounts(self.strategies[0], worker, race, self.check, notes)
            outlet, database = Outlet(directory, self.asked.given, explorer), None
            try:
                self._begin(outlet, recorder)
                so_far = SoFar(directory, accounts.so_far)
                before = None if earlier is None else rows_of(worker.before, explorer)
                traces = explorer.parts.traces
                database = Database(
                    directory.root / "run.db", traces, accounts.counts_by_point, explorer.branches, before
                )
                kept = journal(explorer, directory.root, self.strategies[0].name) if is_kept(options) else None
            except WriteFailed as failed:
                explorer.not_written(failed)
                return outlet.end(accounts, recorder, None)
            growing = campaign = None
            if has_corpus := corpora.has_corpus(options):
                growing = campaigns.growing_corpus(explorer, directory.root, recorder, self.native)
            own = () if growing is None else (growing,)
            told = explorer.observers(recorder, (database, so_far, *own, *observers))
            with watching_run(explorer, recorder, directory.root, self.page, accounts.doing, told):
                try:
                    if has_corpus:
                        inputs = self.asked.corpus.inputs
                        choose = campaigns.choice(self.asked.arguments, self.origin)
                        campaign = campaigns.begin(explorer, recorder, growing, self.native, inputs, choose)
                except WriteFailed as failed:
                    explorer.not_written(failed)
                    return outlet.end(accounts, recorder, database)
                between = None if campaign is None else campaign.between
                worker.explore(
                    told, kept, lambda: ExplorationLeftovers(standings=accounts.standings()), race=race, between=between
                )
                if explorer.stopped_by is None and not explorer.parts.tally.dropped:  # else failures may be missing
                    with Survival(explorer.failures, "the audit"):
                        explorer.proofs.explore_again(explorer.parts, recorder.seen, explorer.is_over)
            try:
                if growing is not None:
                    growing.catch_up()
            except WriteFailed as failed:
                explorer.not_written(failed)
            if campaign is not None:
                explorer.program.notes = (*explorer.program.notes, *campaign.words())
                accounts = replace(accounts, seeds=campaign.seeds)
            return outlet.end(accounts, recorder, database)

    def _worker(self, recorder: Recorder) -> Worker:
        strategy, earlier = self.strategies[0], self.asked.earlier
        machine = self.explorer.parts.engine.machine
        kept = None if earlier is None else earlier.kept.get(strategy.name)
        begin = (lambda: working.helpers(strategy, machine)) if strategy.helpers else None
        return Worker(self.explorer, recorder, kept, races.FIRST, begin, partial(_adopt, recorder))

    def _race(self, root: Path, worker: Worker) -> Race | None:
        if len(self.strategies) == 1:
            return None
        recorder, parts = worker.recorder, self.explorer.parts
        adopt, settled = partial(_adopt, recorder), parts.engine.coverage.settled_edges
        book = Book(adopt, settled, recorder.run_nothing_on, wants_tests(self.explorer.options))
        first, *others = self.strategies
        entrants = [
            Entrant(each.name, kind(each.options), partial(self._begin_other, root, each), self._due(worker, each))
            for each in others
        ]
        before = () if worker.before is None else worker.before.left.standings
        elapsed, memory = worker.team.elapsed, self.explorer.budget.memory
        return Race(first.name, entrants, elapsed, parts.tally, parts.share, book, memory, before)

    def _due(self, worker: Worker, strategy: StrategyPlan) -> Callable[[], bool]:
        """Whether another strategy may be of use yet.

        Before the first fork, exact strategies all do the same; one that takes loops for any number of turns waits for
        a loop without a bound in sight, and one that samples waits for hard queries.
        """
        parts, elapsed = self.explorer.parts, worker.team.elapsed
        match kind(strategy.options):
            case StrategyKind.EXACT:
                return lambda: parts.tally.forks > 0
            case StrategyKind.OVER:
                return lambda: elapsed() >= LONG or parts.placing.counts.most_forks() >= OFTEN
            case StrategyKind.SAMPLED:
                return self.explorer.meter.has_hard_queries

    def _begin_other(self, root: Path, strategy: StrategyPlan) -> Remote:
        if self.cluster is not None:
            return self.cluster.begin(strategy.name, working.posting(strategy))
        kept = None if self.asked.earlier is None else self.asked.earlier.kept.get(strategy.name)
        return working.process(working.WorkAssignment(strategy, self.explorer.program, root, kept))

    def _begin(self, outlet: Outlet, recorder: Recorder) -> None:
        asked = self.asked
        if asked.earlier is not None:
            asked.earlier.adopt(recorder, self.explorer.parts.tally.instructions)
            return
        outlet.begin()
        if is_kept(self.explorer.options):
            begin(outlet.directory.root, asked.given.names, asked.options, asked.arguments)


def _adopt(recorder: Recorder, shown: Shown) -> Adopted:
    """Take over a test of another process. Returns what it is the first to show."""
    test, before = test_file.from_json(shown.test, "a test"), len(recorder.tests)
    edges, errors = recorder.adopt(test, shown.length, shown.alarm)
    return Adopted(edges, errors, tuple(recorder.tests[before:]))
