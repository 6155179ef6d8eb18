"""A function to scan: its program, its options, and what is looked for."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from unfork.commands.projects.entries import CallGraph
from unfork.commands.projects.kept_results import Allowance
from unfork.commands.scan import kept, scanning
from unfork.commands.scan.digest import Digests
from unfork.commands.scan.function_scan import INTERRUPTED, most, not_explored, scan_function
from unfork.commands.scan.results import Defect, Explored
from unfork.options.options import Options, as_dict
from unfork.patience import longest
from unfork.program.llvm import compilation_cache
from unfork.program.llvm.module import Program

_APART = frozenset(("max-time", "cores", "out", "json", "quiet", "verbose", "no-progress", "serve"))
"""Options that do not influence results, or whose values are compared elsewhere."""


@dataclass(frozen=True, slots=True)
class ScanJob:
    """A function to scan. ``digests`` and ``graph`` are those of its program; its options give its time."""

    program: Program
    graph: CallGraph
    digests: Callable[[], Digests]
    files: tuple[str, ...]
    options: Options
    name: str
    folder: Path
    aim: Defect | None = None
    """The only defect to look for."""
    entry: str = ""
    """The entry that is called on objects of the project's own makers; "" for any other job."""
    is_of_failures: bool = False
    """Whether an allocation or a call of the system may fail, which is not so in the scan as a whole."""

    def with_failures(self) -> ScanJob:
        """The same function, in a world in which a call of the system may fail."""
        options = replace(self.options, fail=1, given=self.options.given | {"fail"})
        return replace(self, options=options, is_of_failures=True)

    def with_share(self, share: float) -> ScanJob:
        """The same function, with a share of its time."""
        return self.with_seconds(share * self.seconds)

    def with_seconds(self, seconds: float) -> ScanJob:
        """The same function, with other processor seconds."""
        return replace(self, options=replace(self.options, max_time=seconds))

    @property
    def place(self) -> tuple[int, str]:
        """Identifies its function."""
        return id(self.graph), self.entry or self.name

    @property
    def is_entry(self) -> bool:
        """Whether it calls a function that users of the project may call."""
        return (self.entry or self.name) in self.graph.entries

    @property
    def seconds(self) -> float:
        return scanning.seconds(self.options)

    @property
    def most(self) -> float:
        return most(self.seconds)

    @property
    def longest(self) -> float:
        return longest(self.seconds)

    @property
    def most_memory(self) -> float:
        return scanning.most_memory(self.options)

    def work(self, tell: Callable[[Explored], None]) -> Explored:
        """Explore the function. A failure costs this function alone."""
        shutil.rmtree(self.folder, ignore_errors=True)  # files of a process that was killed
        about = self.program, self.files, self.options, self.name, self.folder
        return scan_function(*about, tell, self.aim, is_entry=self.is_entry)

    def kept(self) -> Explored | None:
        """The result that an earlier scan kept; writes its files into the folder."""
        return kept.find(self.key(), Allowance(self.seconds), self.folder)

    def keep(self, explored: Explored) -> None:
        """Keep a result, unless nothing was explored or the user stopped it."""
        if explored.explored != "not" and explored.reason != INTERRUPTED:
            kept.keep(self.key(), Allowance(self.seconds), self.folder, explored)

    def broken_off(self, so_far: Explored | None, reason: str, began: float) -> Explored:
        if so_far is not None:
            return replace(so_far, reason=reason)
        return not_explored(self.program, self.name, reason, began)

    def key(self) -> str:
        values = {name: value for name, value in as_dict(self.options).items() if name not in _APART}
        names = sorted(name for name in self.options.given if name.replace("_", "-") not in _APART)
        compilers = [shutil.which(name) for name in ("gcc", "clang", "cc")]
        around = repr((values, names, compilers, self.files, str(Path.cwd()), self.name, self.aim, self.is_entry))
        return compilation_cache.key("scan", compilation_cache.engine(), around, self.digests().of(self.name))
