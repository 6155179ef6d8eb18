"""What the compiler made of a file, kept for as long as all that it read is the same.

The compiler lists the headers that it read. Its own change with the compiler alone, and ours with this package; of the
program's, contents are compared. Another header may also come to be found first: none may be there by a name that was
asked for, with ``#include`` or ``__has_include``, which was not read.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from unfork.program.llvm import compilation_cache
from unfork.program.llvm.linking import versions

SHORTEST_KEPT = 0.05
"""Seconds. What is compiled sooner is compiled again as quickly as it is found."""
LISTED = ("-MD", "-MT", "read", "-MV", "-MF")
"""Makes the compiler list what it reads in the file that follows, after a word and a colon; names may be in quotes."""
_NAME = re.compile(r'"([^"]+)"|([^\s"\\]\S*)')
_FLAG = re.compile(
    r"-(?:[DUOg].*|W[^,]*|I.+|std=.*|m[\w.-]+|f(?!modules|profile)[\w-]+|fsanitize=[\w,-]+|pthread|w|[lL].+)\Z"
)
"""Flags that make the compiler read nothing that it does not list, and search no folders but those with ``-I``."""
_VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS")
"""What the compiler takes from the environment."""
_CHANGING = re.compile(
    rb"__(?:DATE|TIME|TIMESTAMP)__|__has_embed"
    rb"|(?<!defined\()(?<!ifdef )__has_include(?!(?:_next)?\s*\(\s*[<\"])"
)
"""Words in a program whose meaning may change without it; ``__has_include`` may ask about what it names."""
_QUESTION = re.compile(rb'__has_include(?:_next)?\s*\(\s*[<"]([^>"]+)')
_MOST = 20_000
"""Places where another header may stand, which are looked at before what is kept is used."""


class Output(NamedTuple):
    """The bitcode, what the compiler printed, and a line on headers that come from the system, if any do."""

    data: bytes
    printed: str
    taken: str


@dataclass(frozen=True, slots=True)
class CompileSettings:
    """How a file is compiled: all ``words`` that matter, the user's own ``flags`` among them, and where headers are.

    Headers of the compiler are below ``home``. ``theirs`` are the folders of its headers and ours, ``folders`` those of
    the program.
    """

    words: Sequence[str]
    flags: Sequence[str]
    folders: Sequence[str]
    home: Path
    theirs: Sequence[str]

    def output(self, compiled: Callable[[], tuple[Output, str]]) -> Output:
        """What the compiler makes of the file, as it was kept or as ``compiled`` returns it, with the list of files."""
        words = "\0".join(self.words).encode("utf-8", "surrogateescape")
        if (
            not all(map(_FLAG.match, self.flags))
            or _CHANGING.search(words)
            or not os.environ.keys().isdisjoint(_VARIABLES)
        ):
            return compiled()[0]
        about = (self.home / "zig").stat()
        name = compilation_cache.key("compiled", words, f"{about.st_size} {about.st_mtime_ns}", *versions())
        kept = self._kept(name)
        if kept is not None:
            return kept
        began = time.time()
        output, listed = compiled()
        if time.time() - began >= SHORTEST_KEPT:
            with contextlib.suppress(OSError):  # it is gone
                self._keep(name, output, listed, began)
        return output

    def _kept(self, name: str) -> Output | None:
        entry = compilation_cache.get(name)
        if entry is None:
            return None
        head, _, data = entry.partition(b"\n")
        printed, taken, read, asked = json.loads(head)
        with contextlib.suppress(OSError):
            if all(_digest(path) == digest for path, digest in read.items()) and not self._is_hidden(read, asked):
                return Output(data, printed, taken)
        return None

    def _keep(self, name: str, output: Output, listed: str, began: float) -> None:
        """Keep it, unless a file that was read is newer, or its meaning depends on more than files. Raises OSError."""
        read: dict[str, str] = {}
        asked: set[str] = set()
        for path in names_in(listed):
            data = Path(path).read_bytes()
            asked.update(map(os.fsdecode, _QUESTION.findall(data)))
            found = [os.path.relpath(path, folder) for folder in self.theirs if path.startswith(f"{folder}/")]
            asked.update(found)
            if not found:
                about = os.stat(path)
                if max(about.st_mtime, about.st_ctime) >= began or _CHANGING.search(data):
                    return
                read[path] = _digest(path)
        folders = self._searched(read)
        asked.update(os.path.relpath(path, folder) for path in read for folder in folders)
        if read and len(asked) * len(folders) <= _MOST and not self._is_hidden(read, asked):
            head = json.dumps((output.printed, output.taken, read, sorted(asked)))
            compilation_cache.put(name, head.encode() + b"\n" + output.data)

    def _searched(self, read: Iterable[str]) -> set[str]:
        own = [flag[2:] for flag in self.flags if flag.startswith("-I")]
        return {os.path.abspath(folder) for folder in (*self.folders, *own, *map(os.path.dirname, read))}

    def _is_hidden(self, read: Iterable[str], asked: Iterable[str]) -> bool:
        """Whether the program has a file by a name that was asked for, and it was not this one that was read."""
        known = set(map(os.path.abspath, read))
        places = (os.path.join(folder, name) for folder in self._searched(read) for name in asked)
        return any(os.path.isfile(place) and os.path.abspath(place) not in known for place in places)


def names_in(listed: str) -> list[str]:
    """The files of a list that the compiler has made."""
    return [quoted or plain for quoted, plain in _NAME.findall(listed.partition(":")[2])]


def _digest(path: str) -> str:
    """Of the contents. Raises OSError."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
