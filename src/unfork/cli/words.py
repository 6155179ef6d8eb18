"""Options for click, made from their descriptions; and the Options that click has read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click
from click import shell_completion
from click.core import ParameterSource

from unfork.cli.streams import say
from unfork.errors import InputError
from unfork.options.kinds import LEGEND, NEUTRAL, OptionKind, none_of
from unfork.options.option_rules import check_values
from unfork.options.options import DEFAULTS, DESCRIPTIONS, Options, flag_of

Run = TypeVar("Run", bound=Callable[..., Any])
"""The function that runs a command."""
HELP = ("--help", "-h")
SOUNDNESS = "\n\n".join(["Options say which way they err:", *[f"{note}: {text}." for note, text in LEGEND.items()]])
"""A paragraph for the help of commands that take options of a run."""
_FILES = ("FILE", "FILE|-", "PATH", "HOST=GUEST")


class UnforkCommand(click.Command):
    """A command of unfork: its help has sections, and all its output goes through ``say``."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """--help, shown by ``say``, which handles closed pipes and full disks."""
        if self.add_help_option and self._help_option is None:
            self._help_option = saying(HELP, "say what the command does", lambda context: context.get_help())
        return self._help_option

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options by sections."""
        for section, rows in sections(self, ctx).items():
            with formatter.section(section):
                formatter.write_dl(rows)


def sections(command: click.Command, ctx: click.Context) -> dict[str, list[tuple[str, str]]]:
    """The flags and the meaning of each option, by section."""
    by_section: dict[str, list[tuple[str, str]]] = {}
    for option in command.get_params(ctx):
        record = option.get_help_record(ctx) if isinstance(option, click.Option) else None
        if record is not None:
            by_section.setdefault(option.section if isinstance(option, Described) else "Options", []).append(record)
    return by_section


def saying(flags: Sequence[str], purpose: str, text: Any) -> click.Option:
    """An option that prints ``text`` of the context, in place of the command."""

    def callback(ctx: click.Context, option: click.Parameter, is_given: bool) -> None:
        if is_given and not ctx.resilient_parsing:
            say(f"{text(ctx)}\n")
            ctx.exit()

    return click.Option([*flags], is_flag=True, expose_value=False, is_eager=True, help=purpose, callback=callback)


def default_of(name: str) -> str:
    """The default of an option as a user would type it."""
    value = DEFAULTS[name]
    if value is False:
        return "off"
    if value in (None, (), ""):
        return "none"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _meaning(name: str) -> str:
    """Meaning, default and soundness note of an option."""
    description = DESCRIPTIONS[name]
    note = "" if description.soundness == NEUTRAL else f", {description.soundness}"
    return f"{description.meaning} (default {default_of(name)}{note})."


class Described(click.Option):
    """An option of a run. Its value stays as typed: Options turns words into values, for scripts as well."""

    def __init__(self, name: str, *, hidden: bool) -> None:
        description = DESCRIPTIONS[name]
        kind = description.kind
        self.kind: OptionKind = kind
        self.section = description.section
        flags, text = [flag_of(name), name], _meaning(name)
        if not kind.words:
            super().__init__(flags, is_flag=True, help=text, hidden=hidden)
            return
        omittable: dict[str, Any] = {} if kind.omitted is None else {"is_flag": False, "flag_value": kind.omitted}
        super().__init__(
            flags,
            type=str,
            nargs=len(kind.words),
            multiple=kind.repeated,
            metavar=" ".join(kind.words),
            help=text,
            hidden=hidden,
            **omittable,
        )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[shell_completion.CompletionItem]:
        """Completions: names for the last part of a comma list, or files or folders."""
        before, comma, last = incomplete.rpartition(",") if self.kind.is_list else ("", "", incomplete)
        if self.kind.names:
            return [
                shell_completion.CompletionItem(before + comma + name)
                for name in self.kind.names
                if name.startswith(last)
            ]
        kind = "dir" if self.kind.words[:1] == ("DIR",) else "file" if self.kind.words[0] in _FILES else ""
        return [shell_completion.CompletionItem(incomplete, type=kind)] if kind else []


class WordChoice(click.Choice[str]):
    """One of some words. The error for another word suggests a similar one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word. Raises BadParameter."""
        if value not in self.choices:
            self.fail(str(none_of(str(value), self.choices)), param, ctx)
        return str(value)

    def get_missing_message(self, param: click.Parameter, ctx: click.Context | None) -> str:
        """The choices, in one line."""
        return f"It is one of {', '.join(self.choices)}"


class Exploring(UnforkCommand):
    """A command that takes the options of a run in ``names``; its callback gets them as ``options``.

    Other words are its ``files``. Words after -- are the ``arguments`` of the analysed program, which only
    ``unfork run`` takes.
    """

    def __init__(
        self,
        *given: Any,
        names: Sequence[str],
        refusal: str = "",
        takes_arguments: bool = False,
        hidden: bool = False,
        **named: Any,
    ) -> None:
        super().__init__(*given, **named)
        self._names = tuple(names)
        self._refusal = refusal
        """The error for an option of a run that this command does not take; {} stands for the flag."""
        self._takes_arguments = takes_arguments
        self.params += [Described(name, hidden=hidden) for name in names]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words. Raises UsageError, and InputError for values that make no sense."""
        if ctx.resilient_parsing:
            return super().parse_args(ctx, args)
        behind = [*args]
        try:
            _, _, order = self.make_parser(ctx).parse_args(behind)  # leaves only what follows --
        except click.NoSuchOption as unknown:
            if self._refusal and unknown.option_name in _FLAGS:
                raise click.UsageError(self._refusal.format(unknown.option_name), ctx) from None
            raise
        _refuse_order([option.name for option in order], ctx)
        before = args[: len(args) - len(behind)]
        rest = super().parse_args(ctx, _with_values(before))
        given = {name for name in self._names if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE}
        values = {name: ctx.params.pop(name) for name in self._names}
        options = Options(**{name: values[name] for name in given}, given=frozenset(given))
        check_values(options)
        ctx.params["options"] = options
        if self._takes_arguments:
            ctx.params["arguments"] = behind
        elif behind:
            raise click.UsageError(f"{self.name} takes no program arguments", ctx)
        return rest


def _refuse_order(names: Sequence[str | None], ctx: click.Context) -> None:
    """Refuse --sym-arg after --sym-args: a symbolic number of arguments comes last."""
    if "sym_args" in names and "sym_arg" in names[names.index("sym_args") :]:
        raise click.UsageError(
            "--sym-arg after --sym-args: say both after -- (-- --sym-args 0 1 2 --sym-arg 3) for that order", ctx
        )


def _with_values(words: list[str]) -> list[str]:
    """The words, with the values of options that have none, for which click would take the next word."""
    return [
        f"{word}={_OMITTED[word]}" if word in _OMITTED and not after.isdecimal() else word
        for word, after in zip(words, [*words[1:], ""], strict=False)
    ]


_FLAGS = {flag_of(name) for name in DESCRIPTIONS}
_OMITTED = {
    flag_of(name): description.kind.omitted
    for name, description in DESCRIPTIONS.items()
    if description.kind.omitted is not None
}
"""The values of options that may stand without their number."""


def files(metavar: str) -> click.Argument:
    """The argument that holds a command's files."""
    return click.Argument(["files"], nargs=-1, metavar=metavar, type=click.Path())


def per_function(default: float) -> Callable[[Run], Run]:
    """The option --per-function: how long a command works on each function, in CPU seconds."""
    return click.option(
        "--per-function",
        metavar="S",
        type=click.FloatRange(min=0, min_open=True),
        default=default,
        help=f"Seconds of processors for each function (default {default:g}).",
    )


def parse(words: Sequence[str]) -> tuple[list[str], Options, list[str]]:
    """Files, options and program arguments (after --) of ``unfork run``. Raises InputError."""
    command = Exploring("run", names=tuple(DESCRIPTIONS), params=[files("FILE...")], takes_arguments=True)
    try:
        given = command.make_context("unfork run", [*words]).params
    except click.UsageError as problem:
        raise InputError(message_of(problem)) from None
    return [*given["files"]], given["options"], given["arguments"]


def message_of(problem: click.ClickException) -> str:
    """The error about a command's words, in one line."""
    text = problem.format_message().rstrip(".")
    context = problem.ctx if isinstance(problem, click.UsageError) else None
    return f"{text}; see {context.command_path} --help" if context is not None else text
