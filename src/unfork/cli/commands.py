"""Runs one command: its exit status, and a line if something is wrong."""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from click import shell_completion

from unfork.cli import version
from unfork.cli.streams import complain, plea
from unfork.cli.words import UnforkCommand, message_of, saying
from unfork.commands.cc import start
from unfork.errors import CompileError, InputError, OutOfTime
from unfork.failures import CRASH, EngineFailed, Failures, Survival
from unfork.options.kinds import near
from unfork.program.c.escape import escape_text
from unfork.program.c.suffixes import COMPILED, IR_SUFFIXES
from unfork.report.record.directory import WriteFailed
from unfork.report.record.verdict import EXIT_INTERRUPTED, EXIT_UNKNOWN, EXIT_UNUSABLE

COMMANDS: Mapping[str, str] = {
    "run": "run",
    "fuzz": "run",
    "verify": "run",
    "scan": "scan",
    "reach": "reach",
    "resume": "run",
    "replay": "replay",
    "show": "show",
    "export": "export",
    "report": "export",
    "svcomp": "svcomp",
    "lsp": "server",
    "mcp": "server",
    "strategies": "cache",
    "cc": "",
    "c++": "",
    "ar": "",
    "cache": "cache",
    "completions": "cache",
}
"""Each command with its module, without ``_command``. cc, c++ and ar have none: clang reads their words."""
SUFFIXES = COMPILED | IR_SUFFIXES
"""Suffixes of files to run. A user who names a file in place of a command meant ``run``."""
COMPLETING = "_UNFORK_COMPLETE"
"""The environment variable by which a shell asks for completions."""


class Commands(UnforkCommand, click.Group):
    """The commands. A command's module is loaded when the command is run or described."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, and the commands."""
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        home = COMMANDS.get(cmd_name)
        if home == "":
            words = click.Argument(["words"], nargs=-1, metavar="ARG...")
            purpose = "archive" if cmd_name == "ar" else "compile and link"
            text = f"{purpose} as clang does, and keep PROGRAM.bc"
            return UnforkCommand(cmd_name, params=[words], help=text, add_help_option=False, options_metavar="")
        return (
            None
            if home is None
            else getattr(importlib.import_module(f"unfork.cli.{home}_command"), f"{cmd_name}_command")
        )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names. Raises UsageError with a similar command."""
        name = args[0]
        if name not in COMMANDS and not ctx.resilient_parsing:
            is_file = Path(name).suffix in SUFFIXES
            meant = f" (did you mean unfork run {name}?)" if is_file else near(name, COMMANDS)
            raise click.UsageError(f"unknown command {name!r}{meant}", ctx)
        return super().resolve_command(ctx, args)


UNFORK = Commands(
    "unfork",
    params=[saying(("--version",), "say which version this is", lambda ctx: version.text())],
    help="Run C programs on all inputs at once: find bugs, each with a test, and prove that there are none.",
)


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    words = sys.argv[1:] if words is None else list(words)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # escape characters that the locale lacks
            stream.reconfigure(errors="backslashreplace")
    failures = Failures()
    with Survival(failures, "the command"):
        return _run_words(words)
    assert failures.first is not None
    complain(f"{failures.text()}\n{plea(failures.first, 'the lines above')}")
    return EXIT_UNKNOWN


def _run_words(words: Sequence[str]) -> int:
    """Run one command; unusable input costs one line."""
    try:
        return _command(words)
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.exceptions.NoArgsIsHelpError as empty:
        complain(empty.format_message())
        return EXIT_UNUSABLE
    except click.ClickException as problem:
        complain(f"unfork: {escape_text(message_of(problem))}")
        return EXIT_UNUSABLE
    except CompileError as problem:
        complain("\n".join(escape_text(line) for line in str(problem).expandtabs().split("\n")))
        return EXIT_UNUSABLE
    except OutOfTime as problem:
        complain(f"unfork: {escape_text(str(problem))}; verdict: unknown")
        return EXIT_UNKNOWN
    except (InputError, WriteFailed) as problem:
        complain(f"unfork: {escape_text(str(problem))}")
        return EXIT_UNUSABLE
    except OSError as error:  # the system refuses to open something: its name is too long, a link is circular
        if error.filename is None:
            raise
        complain(f"unfork: {escape_text(str(error.filename))}: {error.strerror}")
        return EXIT_UNUSABLE
    except KeyboardInterrupt:
        complain("unfork: interrupted")
        return EXIT_INTERRUPTED
    except EngineFailed as failed:
        complain(plea(failed.failure, str(failed.directory / CRASH)))
        return EXIT_UNKNOWN


def _command(words: Sequence[str]) -> int:
    if COMPLETING in os.environ:
        return shell_completion.shell_complete(UNFORK, {}, "unfork", COMPLETING, os.environ[COMPLETING])
    if words[:1] in (["cc"], ["c++"], ["ar"]):
        return start.main(words)
    with UNFORK.make_context("unfork", ["--help"] if words[:1] == ["help"] else [*words]) as context:
        return int(UNFORK.invoke(context))
