"""Writes the files of a run directory other than tests and errors: at the beginning, and when the run is over."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from pathlib import Path

from unfork import host
from unfork.commands.afterwards import export
from unfork.commands.assemble import outputs
from unfork.commands.assemble.building import COPY, ProgramFiles
from unfork.commands.run.accounting import Accounts
from unfork.commands.run.explorer import Explorer
from unfork.engine.state.state import State
from unfork.failures import CRASH, Survival
from unfork.options.options import RUN_FORMATS
from unfork.report.formats import testcomp
from unfork.report.record import loop_records
from unfork.report.record.coverage_measure import rows
from unfork.report.record.database import Database
from unfork.report.record.directory import RunDirectory, WriteFailed
from unfork.report.record.journal import end
from unfork.report.record.recorder import Recorder
from unfork.report.record.summary import Account, as_json, summary, warnings
from unfork.world.inputs import call_sequences, object_drivers


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """A run that is over and written. ``waiting`` are the states that were left; none if everything was explored.

    ``trouble`` says in one line what is missing in the directory; None if nothing is.
    """

    directory: Path
    recorder: Recorder
    account: Account
    trouble: str | None
    waiting: tuple[State, ...]


@dataclass(frozen=True, slots=True)
class Outlet:
    """Writes the files into ``directory`` that no event causes."""

    directory: RunDirectory
    given: ProgramFiles
    explorer: Explorer

    def begin(self) -> None:
        explorer, directory = self.explorer, self.directory
        options, program = explorer.options, explorer.program
        directory.write("program.bc", program.bitcode)
        if (copy := self.given.copy()) is not None:
            directory.write(COPY, copy)
        if program.driver:
            directory.write(object_drivers.FILE, program.driver.encode())
        if (calls := outputs.calls(options, program)) is not None:
            directory.write(call_sequences.FILE, call_sequences.driver(calls, options.entry).encode())
        if "xml" in options.formats:
            told = testcomp.of_program(explorer.files[0], self.given.paths[0], options.entry)
            directory.write("tests/metadata.xml", told.encode())

    def end(self, accounts: Accounts, recorder: Recorder, database: Database | None) -> FinishedRun:
        """Write the last tests, the summary, and the formats of other tools, as far as the disk has room."""
        explorer, failures = self.explorer, self.explorer.failures
        tally = explorer.parts.tally
        tally.resident_peak = max(tally.resident_peak, host.this().resident_bytes())
        with Survival(failures, "the last tests"):
            recorder.finish()
        account = accounts.at_the_end()
        untold: str | None = None
        try:
            if database is not None and explorer.full is None:
                self._close(database)
                account = replace(account, failure=failures.first)
            self._write(account)
            if not set(RUN_FORMATS).isdisjoint(explorer.options.formats):
                untold = export.write_chosen(self.directory, explorer.options, explorer.program, failures)
            if failures.first is not account.failure:
                account = replace(account, failure=failures.first)
                self._write(account)
        except WriteFailed as failed:
            if explorer.full is None:
                explorer.not_written(failed)
                account = replace(account, stopped_by=explorer.stopped_by)
            with contextlib.suppress(WriteFailed):  # there may be room for the summary at least
                self.directory.write("summary.json", as_json(summary(account)).encode())
        trouble = untold if explorer.full is None else str(explorer.full)
        waiting = () if explorer.stopped_by is None else tuple(explorer.parts.scheduled.frontier)
        return FinishedRun(self.directory.root, recorder, account, trouble, waiting)

    def _close(self, database: Database) -> None:
        explorer, engine = self.explorer, self.explorer.parts.engine
        with Survival(explorer.failures, "the end of run.db", WriteFailed):
            ran = [name for name in explorer.program.defined if explorer.has_run(name)]
            database.close(engine.chain.statistics.as_dict(), rows(engine.coverage), ran)

    def _write(self, account: Account) -> None:
        directory, parts = self.directory, self.explorer.parts
        if account.stopped_by is None and not account.tally.dropped and account.failure is None:
            end(directory.root)
        directory.write("summary.json", as_json(summary(account)).encode())
        if parts.abstract_loops is not None:
            told = loop_records.loops_text(parts.abstract_loops, parts.engine.machine.facts)
            directory.write(loop_records.FILE, told.encode("utf-8", "backslashreplace"))
        directory.write("warnings.txt", warnings(account).encode("utf-8", "backslashreplace"))
        if account.failure is not None:
            directory.write(CRASH, self.explorer.failures.text().encode("utf-8", "backslashreplace"))
