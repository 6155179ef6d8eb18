"""unfork run and unfork resume: explore a program, or go on with that."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from unfork.cli.streams import say
from unfork.cli.words import parse, refuse_others
from unfork.errors import InputError
from unfork.later import Later
from unfork.option_help import help_text
from unfork.options import CHANGEABLE, DESCRIPTIONS, SHOWING
from unfork.report.verdict import EXIT_SAFE

if TYPE_CHECKING:
    from unfork.api import resume, run, summary_file
    from unfork.cli import told
else:
    resume = Later("unfork.api.resume")
    run = Later("unfork.api.run")
    summary_file = Later("unfork.api.summary_file")
    told = Later("unfork.cli.told")

_RUN_USAGE = """\
usage: unfork run FILE... [options] [-- ARG...]

  FILE is C (.c, preprocessed .i) or LLVM IR (.bc, .ll), or - for C on standard input; ARGs are the program's.
  Options say which way they err:
"""
_RESUME_USAGE = """\
usage: unfork resume RUN_DIR [options]

  Goes on with a run that a limit, Ctrl-C or a crash ended, in its directory. Limits of time count anew; all other
  options stay as they were, but for these:
"""


def run_command(words: Sequence[str]) -> int:
    """Explore a program. Returns the exit status."""
    files, options, arguments, wants_help = parse(words)
    if wants_help:
        say(f"{_RUN_USAGE}{help_text(tuple(DESCRIPTIONS))}\n")
        return EXIT_SAFE
    if not files:
        raise InputError("run: no input file")
    summary_file.check_summary_place(options.json)
    return told.told(run.run(files, options, arguments), options)


def resume_command(words: Sequence[str]) -> int:
    """Go on with a run. Returns the exit status."""
    names, options, after, wants_help = parse(words)
    allowed = (*CHANGEABLE, *SHOWING)
    if wants_help:
        say(f"{_RESUME_USAGE}{help_text(allowed)}\n")
        return EXIT_SAFE
    refuse_others(options, allowed, "resume: {} stays as it was; see unfork resume --help")
    if len(names) != 1 or after:
        raise InputError("resume takes one run directory; see unfork resume --help")
    summary_file.check_summary_place(options.json)
    return told.told(resume.resume(Path(names[0]), {name: getattr(options, name) for name in options.given}), options)
