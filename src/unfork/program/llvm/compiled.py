"""Caches the compiler's output for a file, as long as everything that it read is unchanged.

The compiler lists the headers that it read. Its own change only with the compiler, and ours with this package; the
program's are compared by content. Another header might also be found first: so no unread file may have a name that
an ``#include`` or ``__has_include`` looked for.
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
"""Seconds: a faster compilation is not cached, since repeating it takes no longer."""
LISTED = ("-MD", "-MT", "read", "-MV", "-MF")
"""Makes the compiler list the files that it reads, after a word and a colon; names may be in quotes."""
_NAME = re.compile(r'"([^"]+)"|([^\s"\\]\S*)')
_FLAG = re.compile(
    r"-(?:[DUOg].*|W[^,]*|I.+|std=.*|m[\w.-]+|f(?!modules|profile)[\w-]+|fsanitize=[\w,-]+|pthread|w|[lL].+)\Z"
)
"""Flags that make the compiler read no unlisted file, and search no folders other than those of ``-I``."""
_VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS")
"""Environment variables that the compiler reads."""
_CHANGING = re.compile(
    rb"__(?:DATE|TIME|TIMESTAMP)__|__has_embed"
    rb"|(?<!defined\()(?<!ifdef )__has_include(?!(?:_next)?\s*\(\s*[<\"])"
)
"""Words in a program whose meaning may change by itself; ``__has_include`` may test the file that it names."""
_QUESTION = re.compile(rb'__has_include(?:_next)?\s*\(\s*[<"]([^>"]+)')
_MOST = 20_000
"""Places of possible other headers that are checked before the cache is used."""


class Output(NamedTuple):
    """The bitcode, the compiler's messages, and a line on headers from the system, if any."""

    data: bytes
    printed: str
    taken: str


@dataclass(frozen=True, slots=True)
class CompileSettings:
    """How a file is compiled: all relevant ``words``, including the user's ``flags``, and the folders of headers.

    Headers of the compiler are below ``home``. ``theirs`` are the folders of its headers and ours, ``folders`` those
    of the program.
    """

    words: Sequence[str]
    flags: Sequence[str]
    folders: Sequence[str]
    home: Path
    theirs: Sequence[str]

    def output(self, compiled: Callable[[], tuple[Output, str]]) -> Output:
        """The cached output, or that of ``compiled``, which also returns the list of files."""
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
        """Cache the output, unless a file that was read is newer, or it depends on more than files. Raises OSError."""
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
        """Whether the program has an unread file with a name that was looked for."""
        known = set(map(os.path.abspath, read))
        places = (os.path.join(folder, name) for folder in self._searched(read) for name in asked)
        return any(os.path.isfile(place) and os.path.abspath(place) not in known for place in places)


def names_in(listed: str) -> list[str]:
    """The files in a list made by the compiler."""
    return [quoted or plain for quoted, plain in _NAME.findall(listed.partition(":")[2])]


def _digest(path: str) -> str:
    """The digest of a file's contents. Raises OSError."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
