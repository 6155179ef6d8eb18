"""Goes on with a run that a limit, Ctrl-C or a crash has ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from unfork.commands.assemble.building import ONE_AT_A_TIME, ProgramFiles, build_program
from unfork.commands.run import saving
from unfork.commands.run.accounting import reporting_failures
from unfork.commands.run.driver import RunRequest
from unfork.commands.run.run import Result, explore_program
from unfork.engine.explore.limits import LIMITS_OF_WORK
from unfork.engine.protocols.events import Observer
from unfork.errors import InputError
from unfork.options import option_rules
from unfork.options.options import Options, flag_of
from unfork.program.c.escape import escape_text
from unfork.report.record import journal
from unfork.report.record.journal import RunHeader
from unfork.report.record.kept_run import read_exploration


def resume(root: Path, changes: Mapping[str, Any], observers: Sequence[Observer] = ()) -> Result:
    """Go on with the run of a directory. ``changes`` are values of options, by their names in Options.

    A limit of time counts from now. Raises InputError if there is nothing to go on with.
    """
    if not root.is_dir():
        raise InputError(f"{root}: no run directory")
    _check_ended(root, changes)
    version, begun = journal.read_beginning(root)
    if version != saving.version():
        raise InputError(f"{escape_text(str(root))} was begun by unfork {version}; this is {saving.version()}")
    options = _options(root, begun, changes)
    files = begun.files
    with ExitStack() as closing:
        closing.enter_context(ONE_AT_A_TIME)
        closing.enter_context(reporting_failures(files, options))
        program = build_program(options, [root / "program.bc"], files)
        given = ProgramFiles(files, (root / "program.bc",))
        asked = RunRequest(given, options, begun.arguments, saving.EarlierRun(root, journal.read_explorations(root)))
        return explore_program(asked, program, observers)


def _options(root: Path, begun: RunHeader, changes: Mapping[str, Any]) -> Options:
    options = option_rules.from_dict(begun.options)
    changed = replace(options, **changes, out=str(root), given=frozenset(begun.given) | changes.keys())
    option_rules.check(changed)
    return changed


def _check_ended(root: Path, changes: Mapping[str, Any]) -> None:
    if not (root / "summary.json").is_file():
        return
    reason = read_exploration(root).summary["stopped_by"]
    if reason is None:
        raise InputError(f"{escape_text(str(root))}: the run has explored everything; unfork show tells what it found")
    name = reason.replace("-", "_")
    if reason in LIMITS_OF_WORK and name not in changes:
        flag = flag_of(name)
        raise InputError(f"the run was ended by {flag}; say how far it may go on, as in: unfork resume {root} {flag} N")
