"""What a linker's command line asks for, as far as it matters to us: output, mode, and the files of libraries."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from typing import NamedTuple

TAKES_A_WORD = frozenset(
    (
        *("-m", "-z", "-e", "--entry", "-entry", "-u", "--undefined", "-undefined", "-T", "--script", "-script"),
        *("-soname", "--soname", "-h", "-rpath", "--rpath", "-rpath-link", "--rpath-link", "-R", "-Map", "--Map"),
        *("-plugin", "--plugin", "-mllvm", "--mllvm", "-dynamic-linker", "--dynamic-linker", "-I", "-init", "--init"),
        *("-fini", "--fini", "--version-script", "-version-script", "--dynamic-list", "-dynamic-list", "-y", "-F"),
        *("--defsym", "-defsym", "--wrap", "-wrap", "--format", "-format", "-b", "-f", "--auxiliary", "--filter"),
        *("--exclude-libs", "-exclude-libs", "-sysroot", "--sysroot", "-a", "-A", "-Ttext", "-Tdata", "-Tbss"),
        *("--dependency-file", "--retain-symbols-file", "--export-dynamic-symbol", "-plugin-opt", "--plugin-opt"),
    )
)
"""Options of lld whose value may be the next word, so that the value is not taken for a file."""
STATIC = frozenset(("-Bstatic", "--Bstatic", "-dn", "-non_shared", "-static", "--static"))
DYNAMIC = frozenset(("-Bdynamic", "--Bdynamic", "-dy", "-call_shared"))
ONLY_DYNAMIC = frozenset(("-pie", "--pie", "-static-pie", "--no-dynamic-linker", "-no-dynamic-linker"))


class Link(NamedTuple):
    """A link; ``kind`` is program, shared or relocatable, and ``words`` are the other words as they were given."""

    kind: str
    output: str
    words: tuple[str, ...]
    folders: tuple[str, ...]


def read(given: Sequence[str]) -> Link:
    """The link that a command line asks for, with its response files expanded."""
    kind, output = "program", "a.out"
    words: list[str] = []
    folders: list[str] = []
    rest = expanded(given)
    rest.reverse()
    while rest:
        word = rest.pop()
        if word in ("-shared", "--shared", "-Bshareable", "--Bshareable"):
            kind = "shared"
        elif word in ("-r", "--relocatable", "-relocatable", "-i"):
            kind = "relocatable"
        if word in ("-o", "--output", "-output"):
            output = rest.pop() if rest else output
        elif word.startswith(("--output=", "-output=")):
            output = word.partition("=")[2]
        elif word.startswith("-o") and not word.startswith(("-omagic", "-oformat")):
            output = word[2:]
        elif word in ("-L", "-l", "--library", "--library-path", "-library", "-library-path"):
            value = rest.pop() if rest else ""
            rest.append(("-L" if word in ("-L", "--library-path", "-library-path") else "-l") + value)
        elif word.startswith(("--library=", "-library=")):
            rest.append("-l" + word.partition("=")[2])
        elif word.startswith(("--library-path=", "-library-path=")):
            rest.append("-L" + word.partition("=")[2])
        elif word in TAKES_A_WORD:
            words.append(word)
            if rest:
                words.append(rest.pop())
        else:
            if word.startswith("-L"):
                folders.append(word[2:])
            words.append(word)
    return Link(kind, output, tuple(words), tuple(folders))


def expanded(given: Sequence[str]) -> list[str]:
    """The words with each @file replaced by the words in it; one that cannot be read stays, as with lld."""
    result: list[str] = []
    for word in given:
        try:
            if word.startswith("@"):
                with open(word[1:], encoding="utf-8", errors="surrogateescape") as file:
                    result += expanded(shlex.split(file.read()))
                continue
        except OSError:
            pass
        result.append(word)
    return result


def inputs(link: Link) -> list[tuple[str, str | None]]:
    """Each word with the file that it names: libraries are looked up as the linker would.

    An option and its value are two words without a file (None).
    """
    result: list[tuple[str, str | None]] = []
    dynamic = True
    kept: list[bool] = []
    rest = list(reversed(link.words))
    while rest:
        word = rest.pop()
        if word in TAKES_A_WORD:
            result.append((word, None))
            if rest:
                result.append((rest.pop(), None))
            continue
        dynamic = word in DYNAMIC or (dynamic and word not in STATIC)
        if word == "--push-state":
            kept.append(dynamic)
        elif word == "--pop-state" and kept:
            dynamic = kept.pop()
        if word.startswith("-l") and len(word) > len("-l"):
            result.append((word, library(word[2:], link.folders, dynamic)))
        else:
            result.append((word, None if word.startswith("-") else word))
    return result


def library(name: str, folders: Sequence[str], dynamic: bool) -> str | None:
    """The file of -lname; ``dynamic`` if a shared one may be taken. None if there is none."""
    names = [name[1:]] if name.startswith(":") else [f"lib{name}.so", f"lib{name}.a"] if dynamic else [f"lib{name}.a"]
    for folder in folders:
        for candidate in names:
            path = os.path.join(folder, candidate)
            if os.path.exists(path):
                return path
    return None
