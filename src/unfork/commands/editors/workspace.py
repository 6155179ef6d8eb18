"""The folder that a server works in, the project there, and the options of its scans."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from unfork.commands.assemble.starting import compile_options
from unfork.commands.projects.project import COMMANDS, BuildSource, sources_of
from unfork.commands.scan.scanning import CHECKS
from unfork.errors import InputError
from unfork.options.options import DESCRIPTIONS, Options, flag_of
from unfork.program.llvm.compiler import CompileOptions, syntax_check

_CHECK, _CORES, _NATIVE = "check", "cores", "native_check"
_BUILDS = ("", "build", "builddir", "out")
"""The folders in which builds leave compile_commands.json."""


@dataclass(frozen=True)
class Workspace:
    """A folder; ``paths`` are the files and folders of its project, as for ``unfork scan``."""

    root: Path
    paths: tuple[str, ...]
    options: Options
    per_function: float

    def within(self, name: str) -> Path:
        """The file of that name, which is relative, with links followed. Raises InputError if it lies outside."""
        path = (self.root / name).resolve()
        if Path(name).is_absolute() or not self.has(path):
            raise InputError(f"{name}: is no relative path inside of the workspace")
        if not path.is_file():
            raise InputError(f"{name}: no such file in the workspace")
        return path

    def has(self, path: Path) -> bool:
        """Whether a path lies inside."""
        return (self.root / path).resolve().is_relative_to(self.root.resolve())

    def shown(self, path: Path) -> str:
        """A path as the children know it: they run in the root."""
        root = self.root.resolve()
        return word_of(str(path.relative_to(root)) if path.is_relative_to(root) else str(path))

    @property
    def _project(self) -> tuple[str, ...]:
        if self.paths:
            return self.paths
        builds = [self.root / folder / COMMANDS for folder in _BUILDS]
        return tuple([str(file) for file in builds if file.is_file()][:1])

    def flags(self, file: Path) -> tuple[str, ...] | None:
        """The flags with which the project builds a file; None if it is not in the project."""
        sources = self.sources()
        return next((source.flags for source in sources if (self.root / source.path).resolve() == file), None)

    def sources(self) -> list[BuildSource]:
        """The files of the project. They are read each time: a build may have written other commands."""
        if not self._project:
            return []
        try:
            return sources_of([str(self.root / name) for name in self._project], "project")[0]
        except InputError:
            return []

    def scan_words(self, file: Path, per_function: float) -> list[str]:
        """The words for a scan of the functions of ``file``, linked with the project that it belongs to."""
        name = self.shown(file)
        place = [name] if self.flags(file) is None else [*self._project, "--in", name]
        return ["scan", *place, "--per-function", str(per_function), *self.words(), *self.native_words()]

    def words(self, more: Sequence[str] = ()) -> list[str]:
        """The options as words, with ``more`` flags for the compiler."""
        return [*self.lasting_words(self.root, more), *self._given(_CORES)]

    def lasting_words(self, place: Path, more: Sequence[str] = ()) -> list[str]:
        """Those that a test keeps; folders are as seen from ``place``."""
        cflags = shlex.join([*more, *self._compiling.flags])
        words = ["--cflags", cflags] if cflags else []
        for name in sorted(self.options.given.difference(("cflags", "std", _CORES, _NATIVE))):
            value, flag = getattr(self.options, name), flag_of(name)
            if name == "include":
                value = [os.path.relpath(self.root / each, place) for each in value]
            if DESCRIPTIONS[name].kind.repeated:
                words += [word for each in value for word in (flag, str(each))]
            else:
                words += [flag, ",".join(value) if isinstance(value, tuple) else str(value)]
        return words

    def check_words(self) -> list[str]:
        """The words with which a run looks for what a scan looks for, unless the options say it."""
        return [] if self.options.is_given(_CHECK) else ["--check", ",".join(CHECKS)]

    def native_words(self) -> list[str]:
        """The words that say whether tests run natively, which proofs do not."""
        return self._given(_NATIVE)

    def _given(self, name: str) -> list[str]:
        return [flag_of(name), str(getattr(self.options, name))] if self.options.is_given(name) else []

    def syntax_words(self, file: Path) -> list[str]:
        """The compiler's command line that only reports a file's errors. Raises InputError if there is none."""
        flags = (*(self.flags(file) or ()), *self._compiling.flags)
        return syntax_check(replace(self._compiling, flags=flags), Path(self.shown(file)))

    @cached_property
    def _compiling(self) -> CompileOptions:
        return compile_options(self.options)


def word_of(name: str) -> str:
    """A file's name as a word that is no option."""
    return os.path.join(".", name) if name.startswith("-") else name
