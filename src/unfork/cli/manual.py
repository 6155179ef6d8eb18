"""Writes the page unfork(1) from the commands, and the documentation's page of options."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence

import click

from unfork.cli.commands import UNFORK
from unfork.cli.reach_command import reach_command
from unfork.cli.scan_command import scan_command
from unfork.cli.words import default_of, sections
from unfork.options.kinds import LEGEND
from unfork.options.options import DESCRIPTIONS, VERSION, flag_of
from unfork.options.strategies import BUNDLES, HALVES, RULE, flags, presets

_ESCAPES = str.maketrans({"\\": "\\e", "-": "\\-", "'": "\\(aq", "^": "\\(ha", "~": "\\(ti"})
_BREAKS = str.maketrans({"|": "|\\:", ",": ",\\:"})
"""Allows line breaks in a long choice of words."""
_BEGIN = f"""\
.\\" Made by: python -m unfork.cli.manual
.TH UNFORK 1 "" "unfork {VERSION}" "User Commands"
.ad l
.nh
.SH NAME
unfork \\- symbolic execution of C that merges states, prunes them, and replays every bug that it reports
.SH SYNOPSIS
"""
_DESCRIPTION = """\
.SH DESCRIPTION
.B unfork
runs a C program on all inputs at once.
Where a branch depends on the input it forks, and a solver tells which sides are possible.
It reports bugs, each with an input that triggers it and only after that input has been run again; it writes few tests
that reach high branch coverage; and it ends with a verdict.
.PP
An option takes the next word as its value, whatever that begins with; \\-\\-option=value means the same.
"""
_END = """\
.SH EXIT STATUS
.TP
.B 0
safe: everything was explored and nothing fails; or bounded: the same within the bounds that were given
.TP
.B 1
unsafe: at least one error, replayed
.TP
.B 2
unusable input or options
.TP
.B 3
unknown: something was given up
.TP
.B 130
interrupted; results are kept
.SH FILES
.TP
.I unfork\\-out\\-N
the run directory: summary.json, tests, error reports, the linked bitcode, and run.db; the last one is
.I unfork\\-last
.SH ENVIRONMENT
.TP
.B UNFORK_CACHE
the folder of what is kept between runs; otherwise unfork in XDG_CACHE_HOME or in ~/.cache
.SH SEE ALSO
.BR klee (1),
.BR cbmc (1),
.BR clang (1)
"""


def manual() -> str:
    """The page in roff."""
    top = click.Context(UNFORK, info_name="unfork")
    lines: list[str] = []
    described: list[str] = []
    for name in UNFORK.list_commands(top):
        command = UNFORK.get_command(top, name)
        assert command is not None
        ctx = click.Context(command, info_name=name, parent=top)
        synopsis = f".B {escape(' '.join([ctx.command_path, *command.collect_usage_pieces(ctx)]))}"
        lines += [".br"] * bool(lines) + [synopsis]
        described += [f".SS {escape(ctx.command_path)}", synopsis, *_paragraphs(command.help or "")]
        described += _options(sections(command, ctx))
    return _BEGIN + "\n".join([*lines, _DESCRIPTION + ".SH COMMANDS", *described]) + "\n" + _END


def _paragraphs(text: str) -> Iterator[str]:
    """The help of a command. A paragraph that begins with \\b keeps its lines."""
    for paragraph in text.split("\n\n"):
        first, *rest = paragraph.strip().split("\n")
        yield ".PP"
        if first == "\b":
            yield from (".nf", *map(escape, rest), ".fi")
        else:
            yield from map(escape, (first, *rest))


def _options(by_section: Mapping[str, Sequence[tuple[str, str]]]) -> Iterator[str]:
    for section, rows in by_section.items():
        yield from (".PP", f".I {escape(section)}")
        for head, meaning in rows:
            yield from (".TP", f".B {escape(head).translate(_BREAKS)}", escape(" ".join(meaning.split())))


def escape(text: str) -> str:
    """Text that roff shows as it is."""
    safe = text.translate(_ESCAPES)
    return f"\\&{safe}" if safe.startswith((".", "\\(aq")) else safe


def options_page() -> str:
    """All options in Markdown."""
    lines = ["# Options of `unfork run`", "", "What an option means for the verdict:", ""]
    lines += [f"- *{note}*: {text}" for note, text in LEGEND.items()]
    section = ""
    for name, description in DESCRIPTIONS.items():
        if description.section != section:
            section = description.section
            lines += ["", f"## {section}", ""]
        head = " ".join((flag_of(name), *description.kind.words))
        default = default_of(name)
        shown = default if default in ("none", "off") else f"`{default}`"
        meaning = _in_markdown(description.meaning)
        lines.append(f"- `{head}`: {meaning}. (Default: {shown}; *{description.soundness}*.)")
    for command in (scan_command, reach_command):
        lines += ["", f"## Of `unfork {command.name}` alone", "", *_own_options(command)]
    lines += ["", "## Strategies", ""]
    lines += ["| strategy | options | good at |", "| --- | --- | --- |"]
    lines += [f"| `{name}` | `{flags(name)}` | {strategy.good_at} |" for name, strategy in BUNDLES.items()]
    lines += ["", RULE, "", "| named | preset of |", "| --- | --- |"]
    lines += [f"| {', '.join(map(_as_code, named))} | `{name}` |" for named, name in presets()]
    lines += ["", HALVES]
    return "\n".join(lines) + "\n"


def _own_options(command: click.Command) -> Iterator[str]:
    """The options that a command has beside those of ``unfork run``."""
    known = {flag_of(name) for name in DESCRIPTIONS}
    for each in command.params:
        if isinstance(each, click.Option) and each.help and each.opts[0] not in known:
            value = f" {each.metavar}" if each.metavar else ""
            yield f"- `{', '.join(each.opts)}{value}`: {_in_markdown(each.help).rstrip('.')}."


def _in_markdown(text: str) -> str:
    """A sentence without characters that have a meaning there."""
    return re.sub(r"([*_<\[`])", r"\\\1", text)


def _as_code(words: str) -> str:
    """Options in the type of code; other words as they are."""
    return f"`{words}`" if words.startswith("-") else words


if __name__ == "__main__":
    sys.stdout.write(options_page() if sys.argv[1:] == ["options"] else manual())
