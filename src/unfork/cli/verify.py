"""unfork verify: prove contracts."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.api.summary_file import check_summary_place
from unfork.api.verify import VERIFYING, verify
from unfork.cli.streams import say
from unfork.cli.told import print_result
from unfork.cli.words import parse, refuse_others
from unfork.errors import InputError
from unfork.formats import gcc
from unfork.option_help import help_text
from unfork.report.proofs import proof_lines
from unfork.report.verdict import EXIT_SAFE

_VERIFY_USAGE = """\
usage: unfork verify FILE... [--function F,G] [options]

  Proves that the functions with a contract keep it, for all inputs: ACSL comments, __CPROVER_ clauses, or UNFORK_
  macros (docs/verify.md). Of the options of unfork run, these have a meaning in proofs:
"""


def verify_command(words: Sequence[str]) -> int:
    """Prove contracts. Returns the exit status."""
    files, options, arguments, wants_help = parse(words)
    if wants_help:
        say(f"{_VERIFY_USAGE}{help_text(VERIFYING)}\n")
        return EXIT_SAFE
    if not files:
        raise InputError("verify: no input file")
    if arguments:
        raise InputError("verify: a function that is proved takes no program arguments")
    refuse_others(options, (*VERIFYING, "prune"), "verify: {} has no meaning in proofs; see unfork verify --help")
    check_summary_place(options.json)
    verified = verify(files, options)
    errors = gcc.lines(verified.summary) if "gcc" in options.formats else ()
    print_result([*errors, *proof_lines(verified.summary, str(verified.directory))], verified, options)
    return verified.exit_status
