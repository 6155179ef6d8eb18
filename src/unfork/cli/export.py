"""unfork export: what a run found, in the formats of other tools."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from unfork.clang.escape import shown
from unfork.cli.streams import say, say_bytes
from unfork.cli.words import names_of, value_of
from unfork.errors import InputError
from unfork.later import Later
from unfork.option_kinds import near
from unfork.options import RUN_FORMATS, TEST_FORMATS
from unfork.report.directory import write_file
from unfork.report.text import plural
from unfork.report.verdict import EXIT_SAFE

if TYPE_CHECKING:
    from unfork.api import export
else:
    export = Later("unfork.api.export")

_TESTS = tuple(name for name in TEST_FORMATS if name != "json")
_EXPORT_USAGE = """\
usage: unfork export RUN_DIR FORMAT [-o FILE]

  Writes what a run has found in a format that other tools read, to standard output or to FILE:
  sarif
      errors, alarms and broken contracts for code scanners (SARIF 2.1.0)
  junit
      tests as cases, errors as failures
  lcov, cobertura
      the lines and branches of the compiler's output that the run covers
  gcc
      errors as FILE:LINE:COLUMN: error: TEXT [KIND], for editors
  witness
      the first error, or that there is none, as a witness 2.0 of SV-COMP (docs/svcomp.md)

  The tests, each in a file of its own, in RUN_DIR/tests or, with -o, in the folder FILE:
  ktest
      as KLEE keeps them
  xml
      as Test-Comp keeps them
  c
      as a C program
"""


def export_command(words: Sequence[str]) -> int:
    """Write what a run found for another tool. Returns the exit status."""
    if "--help" in words or "-h" in words:
        say(_EXPORT_USAGE)
        return EXIT_SAFE
    words, place = value_of("-o", list(words))
    names = names_of(words, (), ("-o",))
    if len(names) != 2:
        raise InputError("export takes a run directory and a format; see unfork export --help")
    root, name = Path(names[0]), names[1]
    if name in _TESTS:
        folder = root / "tests" if place is None else Path(place)
        count = len(export.convert(root, name, folder))
        say(f"{plural(count, 'test')} in {shown(str(folder))}\n")
        return EXIT_SAFE
    if name not in RUN_FORMATS:
        known = (*RUN_FORMATS, *_TESTS)
        raise InputError(f"export: no format {name!r}{near(name, known)}; one of {', '.join(known)}")
    data = export.exported(export.kept_run(root), name)
    if place is None:
        say_bytes(data)
    else:
        write_file(Path(place), data)
    return EXIT_SAFE
