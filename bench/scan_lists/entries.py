"""What a list of bench/scan.py is made of: libraries, known bugs in them, and whole releases."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.known_bugs import Debian, Tree
from bench.trees import GitTree

HEADERS = Path(__file__).resolve().parent.parent / "scan" / "include"


@dataclass(frozen=True, slots=True)
class Finding:
    """A report of a tool: where, and what it calls it."""

    file: str
    line: int
    function: str
    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Library:
    """Files of a library and how they are compiled. ``include`` names folders of the tree, "@NAME" one of HEADERS."""

    files: Sequence[str]
    include: Sequence[str] = ("",)
    flags: Sequence[str] = ()
    prepare: Callable[[Path], None] = field(default=lambda tree: None)

    def unpack(self, tree: Tree | GitTree, sources: Path) -> tuple[list[Path], list[str]]:
        """The C files, and the options that compile them."""
        folder = tree.unpack(sources)
        self.prepare(folder)
        folders = [HEADERS / name[1:] if name.startswith("@") else folder / name for name in self.include]
        return [folder / file for file in self.files], [*(f"-I{path}" for path in folders), *self.flags]


@dataclass(frozen=True, slots=True)
class Bug:
    """A bug that shows when one of ``functions`` is called on its own, on some arguments and some heap.

    ``kind`` is what unfork calls it, ``fix`` the authors' commit. ``lines`` narrows a function that has other faults.
    ``callers`` are public functions through which a static one is called.
    """

    name: str
    reference: str
    fix: str
    what: str
    kind: str
    file: str
    functions: Sequence[str]
    buggy: Tree | GitTree
    fixed: Tree | GitTree
    library: Library
    fixed_library: Library | None = None
    lines: range = range(1, sys.maxsize)
    callers: Sequence[str] = ()

    def explains(self, report: Finding, extents: Iterable[range]) -> bool:
        """Whether a report is about the bug's place: a tool that names no function is taken by file and line."""
        if report.line not in self.lines:
            return False
        inside = Path(report.file).name == self.file and any(report.line in extent for extent in extents)
        return inside or report.function in self.functions

    def is_shown(self, finding: Finding, extents: Iterable[range]) -> bool:
        """Whether a finding is the bug: of its kind, at its place."""
        return finding.kind == self.kind and self.explains(finding, extents)


@dataclass(frozen=True, slots=True)
class Release:
    """A library as it is now."""

    name: str
    tree: Tree | GitTree
    library: Library


def debian(package: str, version: str, *patches: str) -> tuple[Debian, Debian]:
    """A release, and the same with what fixes the bug."""
    return Debian(package, version), Debian(package, version, patches)


def single(source: str, copy: str) -> Callable[[Path], None]:
    """A header that is a whole library becomes a file in C."""

    def prepare(tree: Path) -> None:
        if not (tree / copy).exists():
            shutil.copy(tree / source, tree / copy)

    return prepare


def mended(repository: str, before: str, after: str) -> tuple[GitTree, GitTree]:
    """The commit before a fix, and the fix."""
    return GitTree(repository, before), GitTree(repository, after)


def filled(source: str, copy: str, values: Mapping[str, str]) -> Callable[[Path], None]:
    """A header with names between @ becomes one with their values, as a configure script writes it."""

    def prepare(tree: Path) -> None:
        if not (tree / copy).exists():
            text = (tree / source).read_text()
            (tree / copy).write_text(re.sub(r"@(\w+)@", lambda name: values.get(name[1], ""), text))

    return prepare


def of_github(repository: str, commit: str, *include: str) -> Release:
    """A whole repository. Some have headers in folders of their own."""
    tree = GitTree(repository, commit)
    return Release(tree.name, tree, Library((".",), ("", *include)))
