"""The command line: one command, its exit status, and a line for whatever is wrong with it."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from unfork.clang.escape import shown
from unfork.clang.suffixes import C_SUFFIXES, IR_SUFFIXES
from unfork.cli.streams import complain, plea, say
from unfork.errors import CompileError, InputError, OutOfTime
from unfork.failures import CRASH, EngineFailed, Failures, Survival
from unfork.later import Later
from unfork.report.directory import WriteFailed
from unfork.report.verdict import EXIT_INTERRUPTED, EXIT_SAFE, EXIT_UNKNOWN, EXIT_UNUSABLE

if TYPE_CHECKING:
    from unfork import option_kinds, options
    from unfork.cli import completions, pages
    from unfork.toolchain import start
else:
    option_kinds = Later("unfork.option_kinds")
    options = Later("unfork.options")
    completions = Later("unfork.cli.completions")
    pages = Later("unfork.cli.pages")
    start = Later("unfork.toolchain.start")

USAGE = """\
usage: unfork run     FILE... [options] [-- ARG...]   explore; find bugs; write tests (C, .i, .bc, .ll)
       unfork verify  FILE... [--function F,G]        prove contracts for all inputs
       unfork resume  RUN_DIR [--max-time S]          go on with a run that a limit, Ctrl-C or a crash ended
       unfork replay  RUN_DIR | TEST [--engine | --native]   re-run tests; coverage
       unfork show    RUN_DIR [TEST | ERROR | STATE]  explain a run, a test, a bug, why a state ended
       unfork export  RUN_DIR FORMAT [-o FILE]        write what was found as SARIF, JUnit, lcov, ... for other tools
       unfork report  RUN_DIR [-o FILE] [--open]      the run as one HTML page
       unfork svcomp  --property FILE --data-model LP64 TASK.c   verdict line, witness, tests, for the competitions
       unfork strategies                              the named strategies and what they are good at
       unfork cc | ar ARG...                          compile, link, archive as clang does, and keep PROGRAM.bc
       unfork cache   build | clear | where           the C library's bitcode and compiled code: make, remove, say where
       unfork completions bash | zsh | fish           what a shell needs to complete these words
       unfork --version | unfork COMMAND --help
"""
SUFFIXES = C_SUFFIXES | IR_SUFFIXES
"""The suffixes of files to run. A file in place of a command was meant for ``run``."""


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    words = sys.argv[1:] if words is None else list(words)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # characters that the locale lacks are escaped
            stream.reconfigure(errors="backslashreplace")
    failures = Failures()
    with Survival(failures, "the command"):
        return _answered(words)
    assert failures.first is not None
    complain(f"{failures.text()}\n{plea(failures.first, 'the lines above')}")
    return EXIT_UNKNOWN


def _answered(words: Sequence[str]) -> int:
    """Run one command; one line says what is wrong with unusable input."""
    try:
        return _command(words)
    except CompileError as problem:
        complain("\n".join(shown(line) for line in str(problem).expandtabs().split("\n")))
        return EXIT_UNUSABLE
    except OutOfTime as problem:
        complain(f"unfork: {shown(str(problem))}; verdict: unknown")
        return EXIT_UNKNOWN
    except (InputError, WriteFailed) as problem:
        complain(f"unfork: {shown(str(problem))}")
        return EXIT_UNUSABLE
    except OSError as error:  # the system refuses to open something: its name is too long, a link is circular
        if error.filename is None:
            raise
        complain(f"unfork: {shown(str(error.filename))}: {error.strerror}")
        return EXIT_UNUSABLE
    except KeyboardInterrupt:
        complain("unfork: interrupted")
        return EXIT_INTERRUPTED
    except EngineFailed as failed:
        complain(plea(failed.failure, str(failed.directory / CRASH)))
        return EXIT_UNKNOWN


def _command(words: Sequence[str]) -> int:
    if not words or words[0] in ("--help", "-h", "help"):
        if words:
            say(USAGE)
            return EXIT_SAFE
        complain(USAGE.rstrip("\n"))
        return EXIT_UNUSABLE
    if words[0] == "--version":
        say(f"unfork {options.VERSION}\n")
        return EXIT_SAFE
    if words[0] in ("cc", "ar"):
        return start.main(words)
    if words[0] not in COMMANDS:
        meant = f" (did you mean unfork run {words[0]}?)" if Path(words[0]).suffix in SUFFIXES else ""
        meant = meant or option_kinds.near(words[0], (*COMMANDS, "cc", "ar"))
        raise InputError(f"unknown command {words[0]!r}{meant}; see unfork --help")
    return COMMANDS[words[0]](words[1:])


def _completions(words: Sequence[str]) -> int:
    return completions.completions_command(words, all_pages)


def all_pages() -> list[pages.Page]:
    """The help of every command."""
    return pages.pages(USAGE, COMMANDS)


def _of(module: str, name: str) -> Callable[[Sequence[str]], int]:
    """What runs the command ``name``; the module is loaded when the command is run."""
    home = Later(f"unfork.cli.{module}")
    return lambda words: int(getattr(home, f"{name}_command")(words))


_HOMES = {
    "run": "run",
    "verify": "verify",
    "resume": "run",
    "replay": "replay",
    "show": "show",
    "svcomp": "svcomp",
    "export": "export",
    "report": "report",
    "cache": "cache",
    "strategies": "strategies",
}
COMMANDS: Mapping[str, Callable[[Sequence[str]], int]] = {
    **{name: _of(module, name) for name, module in _HOMES.items()},
    "completions": _completions,
}
"""What runs each command, given the words after its name. It returns the exit status."""
