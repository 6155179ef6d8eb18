"""Compares the values in stacks with those that an unoptimised program has when it replays the same test."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.support.corpus import Expected
from tests.support.runs import explore
from unfork.commands.assemble import replaying, solving
from unfork.engine.protocols.outcome import StackEntry
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.engine.step.variable_texts import OPTIMISED_OUT, SYMBOLIC
from unfork.options import option_rules
from unfork.program.llvm.reader import read_again
from unfork.report.record.findings import finding
from unfork.report.record.kept_run import read_test
from unfork.report.replay.engine import is_too_long

UNKNOWN_BYTE = "??"
OF_GONE_LOCAL = re.compile(r"0x4[0-9a-f]{15}")
"""A pointer to a local that is gone, of which only its number is known: passes make it another one."""
SLOT_BYTE = "0x40"
"""How the text of the highest byte of a pointer to a local begins; the two below it are of the number, too."""


@dataclass
class Comparison:
    """What became of the values that unoptimised programs show."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    """Those that are optimised out."""

    def add(self, name: str, here: Sequence[StackEntry], plain: Sequence[StackEntry]) -> None:
        """Count the values of one error."""
        for mine, theirs in zip(here, plain, strict=True):
            known = dict(mine.values)
            for variable, value in theirs.values:
                shown = known.pop(variable, None)
                verdict = _compared(shown, value)
                self.counts[verdict] += 1
                told = f"{name}: {mine.function}: {variable} = {shown}, and not {value}"
                if verdict == "wrong":
                    self.wrong.append(told)
                elif verdict in ("lost", "missing"):
                    self.lost.append(told)


def _compared(shown: str | None, value: str) -> str:
    if shown is None:
        return "missing"
    if OF_GONE_LOCAL.fullmatch(shown) and OF_GONE_LOCAL.fullmatch(value):
        return "equal"
    if shown == value:
        return "equal"
    if value == SYMBOLIC:
        return "unwritten"
    if shown == OPTIMISED_OUT:
        return "lost"
    mine, theirs = shown.split(", "), value.split(", ")
    if len(mine) != len(theirs):
        return "wrong"
    same = [a == b or a.strip("{}") == UNKNOWN_BYTE for a, b in zip(mine, theirs, strict=True)]
    for word in range(0, len(same) - 7, 8):
        if mine[word + 7].startswith(SLOT_BYTE) and theirs[word + 7].startswith(SLOT_BYTE):
            same[word + 5 : word + 8] = [True] * 3
    return "equal" if all(same) else "wrong"


def compare(program: Expected, out: Path, comparison: Comparison) -> None:
    """Explore a program, and compare the stack of each of its errors."""
    result = explore(program, out, native_check="never")
    if result.program.reading is None:
        return
    plain = read_again(replace(result.program.reading, optimize=0), result.program.bitcode)
    options = replace(option_rules.from_dict(result.summary["options"]), optimize=0)
    with closing(solving.solver(options)) as backend:
        replayer = replaying.replayer(options, plain, BranchCoverage(), is_too_long, backend)
        for error in result.errors:
            fault = replayer.replay(read_test(result.directory / error.test)).fault
            if fault is None or finding(fault, error.test, replayed=True).key != error.key:
                comparison.counts["other end"] += 1
            elif len(fault.stack) != len(error.fault.stack) or error.kind == "stack-overflow":
                comparison.counts["other stack"] += 1  # frames of unoptimised code are larger
            else:
                comparison.counts["stacks"] += 1
                comparison.add(f"{program.name}:{error.line}", error.fault.stack, fault.stack)
