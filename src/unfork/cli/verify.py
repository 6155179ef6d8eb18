"""unfork verify: prove contracts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from unfork.cli.streams import say
from unfork.cli.words import parse, refuse_others
from unfork.errors import InputError
from unfork.later import Later
from unfork.option_help import help_text
from unfork.options import VERIFYING
from unfork.report.verdict import EXIT_SAFE

if TYPE_CHECKING:
    from unfork.api import summary_file, verify
    from unfork.cli import told
    from unfork.formats import gcc
    from unfork.report import proofs
else:
    summary_file = Later("unfork.api.summary_file")
    verify = Later("unfork.api.verify")
    told = Later("unfork.cli.told")
    gcc = Later("unfork.formats.gcc")
    proofs = Later("unfork.report.proofs")

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
    summary_file.check_summary_place(options.json)
    verified = verify.verify(files, options)
    errors = gcc.lines(verified.summary) if "gcc" in options.formats else ()
    told.print_result([*errors, *proofs.proof_lines(verified.summary, str(verified.directory))], verified, options)
    return verified.exit_status
