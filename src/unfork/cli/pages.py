"""What the help of each command says, as data: completions and the manual are made from it."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

_FLAG = re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*)((?: (?![-|])[^ ]+)*)")
_HEAD = re.compile(r"  (\S.*)")
_NAMES = re.compile(r"[\w-]+(?: \| [\w-]+)*")
_LEGEND = re.compile(r"  [a-z]+: .*")
_CHOICE = re.compile(r"[a-z0-9][a-z0-9-]*|[A-Z]+[0-9]+")
_BRIEF = re.compile(r" \(|[;:](?:\s|$)|(?<!\.)\.(?:\s|$)")
_LONGEST_BRIEF = 70

Command = Callable[[Sequence[str]], int]


@dataclass(frozen=True, slots=True)
class Value:
    """A word that follows an option: its name, and what it may be, as far as that can be listed."""

    name: str
    choices: tuple[str, ...]
    is_list: bool
    """Whether several of ``choices`` may stand there, with commas."""

    @property
    def is_directory(self) -> bool:
        return self.name.endswith("DIR")

    @property
    def is_file(self) -> bool:
        return self.name.split("|")[0] in ("FILE", "PATH", "PROGRAM", "HOST=GUEST", "FILE...")


@dataclass(frozen=True, slots=True)
class Entry:
    """What is explained in a page: options (``flags``) or a word, under a heading, "" for none."""

    head: str
    flags: Mapping[str, tuple[Value, ...]]
    meaning: str
    section: str

    @property
    def brief(self) -> str:
        """The meaning in a few words."""
        words = _BRIEF.split(self.meaning, maxsplit=1)[0].strip()
        words = words if " " in words else self.meaning
        return words if len(words) <= _LONGEST_BRIEF else words[:_LONGEST_BRIEF].rsplit(" ", 1)[0].rstrip(",") + " ..."


@dataclass(frozen=True, slots=True)
class Page:
    """The help of a command: how it is called, what it is for, and the rest as entries and paragraphs in order."""

    name: str
    purpose: str
    synopses: tuple[str, ...]
    parts: tuple[Entry | str, ...]

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(part for part in self.parts if isinstance(part, Entry))

    @property
    def options(self) -> dict[str, tuple[tuple[Value, ...], str]]:
        """The values of each option, and its meaning in a few words; where it stands alone it is explained best."""
        known: dict[str, tuple[tuple[Value, ...], str]] = {}
        for entry in sorted(self.entries, key=lambda entry: len(entry.flags)):
            for flag, values in entry.flags.items():
                known.setdefault(flag, (values, entry.brief))
        for part in (part for synopsis in self.synopses for part in re.split(r"[\[\]]", synopsis)):
            for flag, values in _flags(part).items():
                known.setdefault(flag, (values[:1], ""))
        return {**known, "--help": ((), "say what the command does")}

    @property
    def words(self) -> tuple[str, ...]:
        """The words of which the command takes one."""
        heads = [entry.head for entry in self.entries if not entry.flags]
        return tuple(head for head in heads if _CHOICE.fullmatch(head))

    @property
    def takes_files(self) -> bool:
        return any(re.search(r"\b(FILE|TEST|ARG)\b|TASK", _outside(synopsis)) for synopsis in self.synopses)

    @property
    def takes_directories(self) -> bool:
        return any("RUN_DIR" in synopsis for synopsis in self.synopses)


def pages(usage: str, commands: Mapping[str, Command]) -> list[Page]:
    """The page of each command that ``usage`` lists; those in ``commands`` are asked for their help."""
    listed: list[tuple[str, str]] = []
    for line in usage.splitlines():
        called, *rest = re.split(r" {2,}", line.removeprefix("usage: ").strip())
        program, _, names = called.partition(" ")
        if program != "unfork" or names.startswith("-"):
            continue
        purpose = rest[-1] if rest else ""
        same = _NAMES.match(names)
        listed += [(name, purpose) for name in (same[0].split(" | ") if same is not None else ())]
    return [
        _page(name, purpose, commands[name]) if name in commands else _own(name, purpose) for name, purpose in listed
    ]


def _own(name: str, purpose: str) -> Page:
    """A command that takes another program's words."""
    return Page(name, purpose, (f"unfork {name} ARG...",), ())


def _page(name: str, purpose: str, command: Command) -> Page:
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        command(["--help"])
    lines = text.getvalue().splitlines()
    synopses = [line.removeprefix("usage:").strip() for line in lines if re.match(r"(usage:| {6}) +unfork ", line)]
    parts = _parts([line for line in lines if not re.match(r"(usage:| {6}) +unfork ", line)]) if synopses else []
    return Page(name, purpose, tuple(synopses) or (f"unfork {name}",), tuple(parts))


def _parts(lines: Sequence[str]) -> list[Entry | str]:
    """Entries, each a line and further ones below it that stand further right, and paragraphs between them."""
    parts: list[Entry | str] = []
    section = ""
    paragraph: list[str] = []
    at = 0
    while at < len(lines):
        head = _HEAD.fullmatch(lines[at])
        body = at + 1
        while head is not None and body < len(lines) and lines[body].startswith(" " * 6):
            body += 1
        if head is not None and body == at + 1 and not lines[at].startswith("  -"):
            parts += [" ".join(paragraph)] * (bool(paragraph) and _LEGEND.fullmatch(lines[at]) is not None)
            paragraph = [*([] if _LEGEND.fullmatch(lines[at]) else paragraph), lines[at].strip()]
        elif paragraph or head is not None:
            parts += [" ".join(paragraph)] * bool(paragraph)
            paragraph = []
        if head is not None and body > at + 1:
            meaning = " ".join(line.strip() for line in lines[at + 1 : body])
            parts.append(Entry(head[1], _flags(head[1]), meaning, section))
        elif lines[at] and lines[at][0] != " ":
            section = lines[at].rstrip(":")
        at = body
    return parts + [" ".join(paragraph)] * bool(paragraph)


def _flags(text: str) -> dict[str, tuple[Value, ...]]:
    """The options in a line, each with the words that follow it."""
    return {
        match[1]: tuple(_value(word) for word in match[2].split()) for match in _FLAG.finditer(text) if match[1] != "--"
    }


def _value(word: str) -> Value:
    bare = word.removesuffix(",...")
    is_list = bare != word or "," in bare
    parts = [re.sub(r"\[.*\]$", "", part) for part in re.split(r"[|,]", bare)]
    choices = [part for part in dict.fromkeys(parts) if _CHOICE.fullmatch(part)]
    return Value(word, tuple(choices), is_list)


def _outside(synopsis: str) -> str:
    """The synopsis without what is in brackets."""
    while (shorter := re.sub(r"\[[^\[\]]*\]", "", synopsis)) != synopsis:
        synopsis = shorter
    return synopsis
