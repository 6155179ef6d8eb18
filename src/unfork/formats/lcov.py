"""The tracefile of lcov: functions, lines and branches of each source file."""

from __future__ import annotations

import os
from collections.abc import Iterator

from unfork.formats.covered import FileCoverage, covered
from unfork.report.kept_run import KeptRun


def write(run: KeptRun) -> bytes:
    """The file. Counts are 1 for what ran and 0 for what did not: a path may stand for any number of runs.

    Raises InputError.
    """
    lines = ["TN:unfork"]
    for name, file in sorted(covered(run).items()):
        lines += [f"SF:{_on_a_line(os.path.normpath(name))}", *_record(file), "end_of_record"]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def _record(file: FileCoverage) -> Iterator[str]:
    functions = sorted(file.functions.items(), key=lambda item: (item[1][0], item[0]))
    yield from (f"FN:{line},{_on_a_line(name)}" for name, (line, _) in functions)
    yield from (f"FNDA:{int(has_run)},{_on_a_line(name)}" for name, (_, has_run) in functions)
    yield f"FNF:{len(functions)}"
    yield f"FNH:{sum(has_run for _, (_, has_run) in functions)}"
    total = hit = 0
    for branching in sorted(file.branches, key=lambda each: (each.line, each.number)):
        for number, taken in enumerate(branching.taken):
            count = str(int(taken)) if branching.is_reached else "-"
            yield f"BRDA:{branching.line},{branching.number},{number},{count}"
            total, hit = total + 1, hit + taken
    yield f"BRF:{total}"
    yield f"BRH:{hit}"
    yield from (f"DA:{line},{int(has_run)}" for line, has_run in sorted(file.lines.items()))
    yield f"LF:{len(file.lines)}"
    yield f"LH:{sum(file.lines.values())}"


def _on_a_line(name: str) -> str:
    """A name of the program's, which must not end its line."""
    return "".join(f"\\x{ord(letter):02x}" if ord(letter) < 0x20 or letter == "\x7f" else letter for letter in name)
