"""The corpus: small C and C++ programs whose first comment states what must come out, read into records."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from tests.support.power import IS_FULL

PROGRAMS = Path(__file__).parents[1] / "programs"
OWNED = {
    "kernel": ("cpp", "kernel_*", "libc_*"),
    "inputs": ("arguments", "heap_calls", "sym_*", "verifier_functions"),
    "library": (
        "atexit",
        "atomics",
        "builtins",
        "cprover_functions",
        "fuzz_targets",
        "inline_assembly",
        "klee_functions",
        "memory_functions",
        "printing",
        "setjmp",
        "strings",
        "unfork_functions",
    ),
    "llvm": ("global_constructors", "optimised", "several_objects", "source_lines"),
}
"""The rooms of src/unfork and the topics that their tests are; all other topics are those of instructions."""
_HEADER = re.compile(r"\A\s*/\*(.*?)\*/", re.DOTALL)
_MARKER = re.compile(r"/\* BUG: ([a-z, -]+?) \*/")
_KEYS = frozenset({"expect", "paths", "options", "native", "input", "exit", "args", "sources", "assumed"})
_VERDICTS = frozenset({"safe", "unsafe", "unknown", "bounded"})
_STATUS = {"safe": 0, "bounded": 0, "unsafe": 1, "unknown": 3}


@dataclass(frozen=True, slots=True)
class Expected:
    """One corpus program: how to run it and what must come out.

    ``errors`` are (kind, file name, line), exactly those that a run reports. ``paths`` counts completed paths, also
    those that end in an error. ``native`` says how the expectation is validated: "asan" (system gcc with sanitizers),
    "gcc" or "clang" (plain run), or "none"; ``native_flags`` go to that compiler. ``inputs`` trigger the errors.
    ``assumed`` is all that the run takes for granted, None where the header does not say.
    """

    path: Path
    verdict: str
    reason: str
    errors: frozenset[tuple[str, str, int]]
    paths: int | None
    options: tuple[str, ...]
    args: tuple[str, ...]
    sources: tuple[Path, ...]
    native: str
    native_flags: tuple[str, ...]
    inputs: tuple[str, ...]
    exit: int
    assumed: tuple[str, ...] | None = None

    @property
    def name(self) -> str:
        """Topic and file name, which identify the program in a test report."""
        return f"{self.path.parent.name}/{self.path.stem}"

    @property
    def forks(self) -> bool:
        """Whether the program has inputs, and so more than one path to order."""
        calls = ("unfork_symbolic", "klee_", "nondet_")
        if any(word.lstrip("-").startswith("sym-") for word in (*self.options, *self.args)):
            return True
        return any(call in _text(source) for source in self.sources for call in calls)


@cache
def _text(source: Path) -> str:
    return source.read_text()


def read(path: Path) -> Expected:
    """The record of one program; a malformed header is a ValueError that names the file."""
    text = _text(path)
    header = _HEADER.match(text)
    if header is None:
        raise ValueError(f"{path}: no header comment")
    fields, inputs, assumed = _fields(path, header.group(1))
    verdict, _, rest = fields["expect"].partition(" ")
    if verdict not in _VERDICTS:
        raise ValueError(f"{path}: unknown verdict {verdict}")
    sources = (path, *(path.parent / name for name in fields.get("sources", "").split()))
    errors = frozenset[tuple[str, str, int]]().union(*map(_marked, sources))
    if (verdict == "unsafe") != bool(errors) and verdict != "unknown":
        raise ValueError(f"{path}: an unsafe program, and no other, marks its bugs")
    native, *flags = shlex.split(fields.get("native", "asan").partition("(")[0]) or ["none"]
    return Expected(
        path=path,
        verdict=verdict,
        reason=rest.strip(),
        errors=errors,
        paths=int(fields["paths"]) if "paths" in fields else None,
        options=tuple(shlex.split(fields.get("options", ""))),
        args=tuple(shlex.split(fields.get("args", ""))),
        sources=sources,
        native=native,
        native_flags=tuple(flags),
        inputs=tuple(inputs),
        exit=int(fields.get("exit", _STATUS[verdict])),
        assumed=tuple(sorted(set(assumed) - {"nothing"})) if assumed else None,
    )


def _fields(path: Path, header: str) -> tuple[dict[str, str], list[str], list[str]]:
    """The keys of a header, and its ``input`` and ``assumed`` lines in order. Lines without a known key are prose."""
    fields: dict[str, str] = {}
    inputs: list[str] = []
    assumed: list[str] = []
    for line in header.splitlines():
        key, colon, value = line.strip(" *").partition(":")
        if not colon or key not in _KEYS:
            continue
        if key == "input":
            inputs.append(value.strip())
        elif key == "assumed":
            assumed.append(value.strip())
        elif key in fields:
            raise ValueError(f"{path}: {key} is stated twice")
        else:
            fields[key] = value.strip()
    if "expect" not in fields:
        raise ValueError(f"{path}: the header states no expectation")
    return fields, inputs, assumed


def _marked(source: Path) -> frozenset[tuple[str, str, int]]:
    """The (kind, file name, line) of each BUG marker."""
    return frozenset(
        (kind.strip(), source.name, number)
        for number, line in enumerate(_text(source).splitlines(), 1)
        for marker in _MARKER.finditer(line)
        for kind in marker.group(1).split(",")
    )


@cache
def programs() -> tuple[Expected, ...]:
    """Every program of the corpus, ordered by name. Files named ``*_part.c`` belong to another program."""
    return tuple([read(path) for path in sorted(PROGRAMS.glob("*/*.c*")) if not path.stem.endswith("_part")])


@cache
def owner(topic: str) -> str:
    """The room of src/unfork that the programs of a topic are tests of."""
    owners = [folder for folder, topics in OWNED.items() if any(fnmatch(topic, name) for name in topics)]
    return owners[0] if owners else "instructions"


def programs_of(folder: str) -> list[Expected]:
    """The programs that are tests of a room of src/unfork."""
    return [program for program in programs() if owner(program.path.parent.name) == folder]


def with_some_cpp(chosen: Sequence[Expected], one_in: int) -> list[Expected]:
    """All programs in C, and some of those in C++, which cost most: all of them where everything is to run."""
    of_cpp = [program for program in chosen if program.path.suffix == ".cpp"]
    others = [program for program in chosen if program.path.suffix != ".cpp"]
    return others + (of_cpp if IS_FULL else of_cpp[::one_in])
