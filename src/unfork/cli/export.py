"""unfork export: what a run found, in the formats of other tools."""

from __future__ import annotations

from pathlib import Path

import click

from unfork.api import export
from unfork.clang.escape import shown
from unfork.cli.streams import say, say_bytes
from unfork.cli.words import Choice, Command
from unfork.options import RUN_FORMATS, TEST_FORMATS
from unfork.report.directory import write_file
from unfork.report.text import plural
from unfork.report.verdict import EXIT_SAFE

_TESTS = tuple(name for name in TEST_FORMATS if name != "json")
_HELP = """Write what a run has found in a format that other tools read.

\b
sarif            errors, alarms and broken contracts for code scanners
                 (SARIF 2.1.0)
junit            tests as cases, errors as failures
lcov, cobertura  the lines and branches of the compiler's output that the
                 run covers
gcc              errors as FILE:LINE:COLUMN: error: TEXT [KIND], for editors
witness          the first error, or that there is none, as a witness 2.0 of
                 SV-COMP (docs/svcomp.md)

The tests, each in a file of its own, in RUN_DIR/tests or, with -o, in the folder FILE:

\b
ktest            as KLEE keeps them
xml              as Test-Comp keeps them
c                as a C program"""


@click.command("export", cls=Command, help=_HELP)
@click.argument("root", metavar="RUN_DIR", type=click.Path(path_type=Path))
@click.argument("name", metavar="FORMAT", type=Choice([*RUN_FORMATS, *_TESTS]))
@click.option(
    "-o", "place", metavar="FILE", type=click.Path(path_type=Path), help="Write there, not to standard output."
)
def export_command(root: Path, name: str, place: Path | None) -> int:
    """Write what a run found for another tool. Returns the exit status."""
    if name in _TESTS:
        folder = root / "tests" if place is None else place
        count = len(export.convert(root, name, folder))
        say(f"{plural(count, 'test')} in {shown(str(folder))}\n")
        return EXIT_SAFE
    data = export.exported(export.kept_run(root), name)
    if place is None:
        say_bytes(data)
    else:
        write_file(place, data)
    return EXIT_SAFE
