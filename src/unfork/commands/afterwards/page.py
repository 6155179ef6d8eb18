"""The page of a run: the data of its directory, and what its program does when it runs again on the tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path

from unfork.commands.afterwards.replay import Session
from unfork.commands.assemble import replaying, solving
from unfork.commands.assemble.building import ONE_AT_A_TIME
from unfork.commands.assemble.starting import start
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.errors import InputError
from unfork.program.c.escape import escape_text
from unfork.program.llvm.module import Program
from unfork.report.page.data import EngineData, FunctionBranches, WalkedPath, page_data
from unfork.report.page.document import document
from unfork.report.record.kept_run import KeptRun, read_run, where_it_ran
from unfork.report.record.unreached import NOTHING_UNREACHED, Unreached
from unfork.report.record.why import unreached_of
from unfork.report.replay.concolic import Follower
from unfork.report.replay.engine import EngineReplayer
from unfork.report.replay.walk import Walk
from unfork.world.inputs.testcase import Error, TestCase

_NAMED = 4
"""Files that the title names at most."""
_STEPS = 600
"""Steps of a path that are kept at most, half of them from its end."""
_LONGEST, _LONGEST_SYMBOLIC = 2_000_000, 300_000
"""Instructions after which a path is cut."""
_ALL, _ALL_STEPS = 20_000_000, 60_000
"""Instructions and steps for all tests together; errors come first."""


def page(root: Path) -> bytes:
    """The page of the run in ``root``. Raises InputError if that is no run directory."""
    run = read_run(root)
    names = run.summary["program"]
    shown = [*names[:_NAMED], *[f"and {len(names) - _NAMED} more"] * (len(names) > _NAMED)]
    with ONE_AT_A_TIME, where_it_ran(run) as run:
        told = EngineData() if run.is_of_proofs or run.is_of_scan else _replayed(run, run.readable_tests()[0])
        return document(page_data(run, told), f"{' '.join(map(escape_text, shown))} - unfork")


def _replayed(run: KeptRun, tests: Mapping[str, TestCase]) -> EngineData:
    """What the program does, or why it cannot be read any more."""
    session = Session(run.root, run.summary)
    try:
        program = session.program(tuple(tests.items()))
        with closing(solving.solver(session.options)) as backend:
            replayer = replaying.replayer(session.options, program, BranchCoverage(), lambda state: False, backend)
            follower = Follower(*replaying.concolic(session.options, program), start(session.options))
            paths = dict(_paths(tests, program, replayer, follower))
            return EngineData(program.checksums(), _branching(program), paths, _unreached(run, program))
    except InputError as problem:
        trouble = f"no path has steps, since the program cannot be run again: {escape_text(str(problem))}"
        return EngineData(trouble=trouble)


def _unreached(run: KeptRun, program: Program) -> Unreached:
    """What the run did not reach; nothing if run.db lacks what that needs."""
    with suppress(InputError), closing(run.tables()) as tables:
        return unreached_of(replace(run, program=lambda: program), tables)
    return NOTHING_UNREACHED


def _branching(program: Program) -> dict[str, FunctionBranches]:
    counted = {name: program.outlines.edges(name) for name in program.own}
    return {name: FunctionBranches(sides, program.function(name).position) for name, sides in counted.items() if sides}


def _paths(
    tests: Mapping[str, TestCase], program: Program, replayer: EngineReplayer, follower: Follower
) -> Iterator[tuple[str, WalkedPath]]:
    """The paths of tests, those of errors first, until together they are too long."""
    spent = steps = 0
    for name, test in sorted(tests.items(), key=lambda each: not isinstance(each[1].expect, Error)):
        if spent > _ALL or steps > _ALL_STEPS:
            return
        walk = Walk(program, replayer.variables, _STEPS)
        replayed = replayer.replay(test, _LONGEST, walk.yield_points, walk.see)
        spent += replayed.instructions
        first, last = walk.steps(replayed.fault)
        steps += len(first) + len(last)
        conditions = follower.conditions(test, _LONGEST_SYMBOLIC)
        yield name, WalkedPath(first, last, walk.left_out, _note(test, replayed.end == test.expect), conditions)


def _note(test: TestCase, is_as_expected: bool) -> str:
    if is_as_expected:
        return ""
    return "The path was cut; its replay goes on beyond it." if test.expect is None else "This replay ended otherwise."
