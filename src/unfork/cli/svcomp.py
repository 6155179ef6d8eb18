"""unfork svcomp: answer a task of SV-COMP or Test-Comp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from unfork.clang.escape import shown
from unfork.cli.streams import complain, say
from unfork.cli.words import parse, refuse_others, value_of
from unfork.errors import InputError
from unfork.later import Later
from unfork.option_help import help_text
from unfork.report.verdict import EXIT_SAFE, EXIT_UNKNOWN, EXIT_UNSAFE

if TYPE_CHECKING:
    from unfork.api import svcomp, validate
else:
    svcomp = Later("unfork.api.svcomp")
    validate = Later("unfork.api.validate")

_ALLOWED = ("max_time", "max_memory", "cores", "seed", "solver", "solver_timeout", "native_check", "out")
_USAGE = """\
usage: unfork svcomp --property FILE --data-model ILP32|LP64 TASK.c [--witness FILE] [--suite DIR] [options]
       unfork svcomp --property FILE --data-model ILP32|LP64 TASK.c --validate WITNESS

  Prints one line: true, false(PROPERTY), unknown, or done where the property asks for tests (docs/svcomp.md).
  --property FILE
      the property's file (.prp)
  --data-model ILP32|LP64
      the widths of types; ILP32 is for programs that keep pointers to themselves
  --witness FILE
      where the witness goes (default: witness.yml in the run directory)
  --suite DIR
      where tests go that a property asks for (default: test-suite in the run directory)
  --validate WITNESS
      of a violation witness, explore what it leaves open, and print false(PROPERTY) if its target is reached; of a
      correctness witness, prove its invariants and with them the property, and print true

"""


def svcomp_command(words: Sequence[str]) -> int:
    """Answer a task. Returns the exit status."""
    if "--help" in words or "-h" in words:
        say(f"{_USAGE}{help_text(_ALLOWED)}\n")
        return EXIT_SAFE
    words, property_file = value_of("--property", list(words))
    words, data_model = value_of("--data-model", words)
    words, witness = value_of("--witness", words)
    words, suite = value_of("--suite", words)
    words, checked = value_of("--validate", words)
    files, options, arguments, _ = parse(words)
    if property_file is None or data_model is None or len(files) != 1 or arguments:
        raise InputError(
            "svcomp takes --property FILE, --data-model ILP32|LP64 and one C file; see unfork svcomp --help"
        )
    refuse_others(options, _ALLOWED, "svcomp: {} is chosen by the property; see unfork svcomp --help")
    task = svcomp.asked(files[0], property_file, data_model)
    options = replace(options, quiet=True, no_progress=True)
    if checked is not None:
        return _said(validate.validate(task, options, Path(checked)))
    given = svcomp.answer(task, options, _place(suite))
    status = _said(given)  # before the witness: who looks for it may take longer than the run
    if given.result is not None:
        try:
            _list([svcomp.witnessed(task, given.result, _place(witness))])
        except InputError as problem:
            complain(f"unfork: no witness: {shown(str(problem))}")
    return status


def _place(name: str | None) -> Path | None:
    return None if name is None else Path(name)


def _list(files: Sequence[Path]) -> None:
    for path in files:
        complain(f"unfork: wrote {shown(str(path))}")


def _said(given: svcomp.Answer) -> int:
    """Print the answer, its reasons on standard error; returns the exit status."""
    for reason in given.reasons:
        complain(f"unfork: {shown(reason)}")
    _list(given.files)
    say(f"{given.verdict}\n")
    if given.verdict == "unknown":
        return EXIT_UNKNOWN
    return EXIT_UNSAFE if given.verdict.startswith("false") else EXIT_SAFE
