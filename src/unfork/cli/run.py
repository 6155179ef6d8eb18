"""unfork run and unfork resume: explore a program, or go on with that."""

from __future__ import annotations

from pathlib import Path

import click

from unfork.api import resume, run
from unfork.cli import told
from unfork.cli.words import SOUNDNESS, Exploring, files
from unfork.errors import InputError
from unfork.options import CHANGEABLE, DESCRIPTIONS, SHOWING, Options

_RUN = f"""Explore; find bugs; write tests.

FILE is C (.c, preprocessed .i) or LLVM IR (.bc, .ll), or - for C on standard input; ARGs are the program's.

{SOUNDNESS}"""
_RESUME = """Go on with a run that a limit, Ctrl-C or a crash ended.

It goes on in its directory. Limits of time count anew; all other options stay as they were."""


@click.command(
    "run",
    cls=Exploring,
    names=tuple(DESCRIPTIONS),
    params=[files("FILE... [-- ARG...]")],
    takes_arguments=True,
    help=_RUN,
)
def run_command(files: tuple[str, ...], options: Options, arguments: list[str]) -> int:
    """Explore a program. Returns the exit status."""
    if not files:
        raise InputError("run: no input file")
    told.check_summary_place(options.json)
    return told.told(run.run([*files], options, arguments), options)


@click.command(
    "resume",
    cls=Exploring,
    names=(*CHANGEABLE, *SHOWING),
    refusal="resume: {} stays as it was",
    params=[files("RUN_DIR")],
    help=_RESUME,
)
def resume_command(files: tuple[str, ...], options: Options) -> int:
    """Go on with a run. Returns the exit status."""
    if len(files) != 1:
        raise click.UsageError("resume takes one run directory", click.get_current_context())
    told.check_summary_place(options.json)
    return told.told(resume.resume(Path(files[0]), {name: getattr(options, name) for name in options.given}), options)
