"""unfork verify: prove contracts."""

from __future__ import annotations

import click

from unfork.api import verify
from unfork.cli import told
from unfork.cli.words import SOUNDNESS, Exploring, files
from unfork.errors import InputError
from unfork.formats import gcc
from unfork.options import VERIFYING, Options
from unfork.report import proofs

_HELP = f"""Prove contracts for all inputs.

Proves that the functions with a contract keep it: ACSL comments, __CPROVER_ clauses, or UNFORK_ macros
(docs/verify.md). Of the options of unfork run, those below have a meaning in proofs; --function takes several names.

{SOUNDNESS}"""


@click.command(
    "verify",
    cls=Exploring,
    names=VERIFYING,
    refusal="verify: {} has no meaning in proofs",
    params=[files("FILE...")],
    help=_HELP,
)
def verify_command(files: tuple[str, ...], options: Options) -> int:
    """Prove contracts. Returns the exit status."""
    if not files:
        raise InputError("verify: no input file")
    told.check_summary_place(options.json)
    verified = verify.verify([*files], options)
    errors = gcc.lines(verified.summary) if "gcc" in options.formats else ()
    told.print_result([*errors, *proofs.proof_lines(verified.summary, str(verified.directory))], verified, options)
    return verified.exit_status
