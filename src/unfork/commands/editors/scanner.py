"""Scans the functions of one file in a child process."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from unfork.commands.editors.background import ReadyChild, run
from unfork.commands.editors.workspace import Workspace
from unfork.report.record.kept_run import SCAN

_COMPLAINT = re.compile(r"(?P<file>[^\s:][^:]*):(?P<line>\d+):(?P<column>\d+): (?:fatal )?error: (?P<text>.*)")
GLANCE = 1.0
"""Processor seconds for a function that has just changed, so that the editor shows something within three: a function
of 30 lines that splits a text into words takes two more until nothing new comes."""
_OFTEN = 0.1
"""Seconds between two looks at what a scan has written so far."""
WHOLE = 120.0
"""Seconds by the clock for one file: it ends a scan of hundreds of functions, which goes on with the next save."""
CHECK = 60.0
"""Seconds for the compiler to read a file."""
FIRST_USE = 600.0
"""Further seconds for what the first use of all builds: musl, and the library of native runs (76 s by the clock on a
machine with two busy cores)."""


@dataclass(frozen=True, slots=True)
class CompilerComplaint:
    """An error of the compiler. Line and column count from 1."""

    file: Path
    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class FileScan:
    """What a scan found: the data of scan.json and its folder, or the reason why there is none."""

    data: Mapping[str, Any] | None
    folder: Path
    reason: str = ""


@dataclass(slots=True)
class FileScanner:
    """Scans files of a workspace, each into a new directory below ``folder``."""

    workspace: Workspace
    folder: Path
    _numbers: count[int] = field(default_factory=count)
    _child: ReadyChild = field(default_factory=ReadyChild)

    def prepare(self) -> None:
        """Be ready for a scan."""
        self._child.prepare()

    async def scan(self, file: Path, functions: Sequence[str] = ()) -> FileScan:
        """Scan the functions of these names, or all. Raises TooSlow."""
        return await self._scan(file, functions, self.workspace.per_function, self._out())

    async def glance(self, file: Path, functions: Sequence[str], tell: Callable[[FileScan], None]) -> FileScan:
        """Scan the functions of these names for a short time; ``tell`` gets what is known once each was explored, while
        the scan still looks at their callers and at objects that these make. Raises TooSlow.
        """
        out = self._out()
        watch = asyncio.ensure_future(_tell_first(out, functions, tell))
        try:
            return await self._scan(file, functions, min(GLANCE, self.workspace.per_function), out)
        finally:
            watch.cancel()

    def _out(self) -> Path:
        return self.folder / f"{next(self._numbers)}"

    async def _scan(self, file: Path, functions: Sequence[str], seconds: float, out: Path) -> FileScan:
        words = self.workspace.scan_words(file, seconds)
        words += [word for name in functions for word in ("--functions", name)]
        words += ["--max-time", f"{WHOLE}s", "--out", str(out), "--quiet", "--no-progress"]
        done = await self._child.unfork(words, self.workspace.root, WHOLE + FIRST_USE)
        try:
            return FileScan(json.loads((out / SCAN).read_text("utf-8")), out)
        except FileNotFoundError:
            return FileScan(None, out, done.complaint.strip())

    async def complaints(self, file: Path) -> tuple[CompilerComplaint, ...]:
        """The compiler's errors. If it misses a header, a scan may find it, and leave none. Raises TooSlow."""
        done = await run(self.workspace.syntax_words(file), self.workspace.root, CHECK)
        found = map(_COMPLAINT.match, done.complaint.splitlines())
        root = self.workspace.root
        return tuple(
            [
                CompilerComplaint((root / each["file"]).resolve(), int(each["line"]), int(each["column"]), each["text"])
                for each in found
                if each is not None
            ]
        )

    def forget(self, scan: FileScan) -> None:
        """Remove the directory of a scan."""
        shutil.rmtree(scan.folder, ignore_errors=True)


async def _tell_first(out: Path, functions: Sequence[str], tell: Callable[[FileScan], None]) -> None:
    """Wait until a scan has written what it knows of all these functions, and tell that."""
    while True:
        await asyncio.sleep(_OFTEN)
        with contextlib.suppress(FileNotFoundError):
            data = json.loads((out / SCAN).read_text("utf-8"))
            if {row["name"] for row in data["functions"] if row["explored"] != "not"}.issuperset(functions):
                tell(FileScan(data, out))
                return
