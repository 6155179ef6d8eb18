"""Compiles test frameworks from source, with code of ours that turns a failed test into an error."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from unfork.errors import InputError
from unfork.program.c.libcxx import INSTALLED
from unfork.program.llvm import binding, compilation_cache
from unfork.program.llvm.compiler import INCLUDE
from unfork.program.llvm.module import LIBRARY_FOLDER, Program
from unfork.world.libc import cpp_build
from unfork.world.libc.library_build import SEEN_AS, LibrarySource, Recipe, zig_version

OURS = Path(__file__).parent / "frameworks"


@dataclass(frozen=True, slots=True)
class Framework:
    """A test framework. ``marks``: prefixes of functions that its tests call; ``sources``: its files; ``key``:
    prefix of ours.
    """

    name: str
    key: str
    marks: tuple[str, ...]
    headers: Path
    sources: tuple[Path, ...] = ()

    @property
    def entry(self) -> str:
        """Our function that receives failed tests; its definition marks a linked framework."""
        return f"unfork_{self.key}"

    def is_installed(self) -> bool:
        return self.headers.is_dir() and all(source.is_file() for source in self.sources)

    def files(self, has_main: bool) -> list[Path]:
        """Files to link to a program with such tests; ours provides main unless the program has one. Raises
        InputError.
        """
        for source in self.sources:
            if not source.is_file():
                raise InputError(f"the program has tests of {self.name}, whose source {source} is not there")
        ours = [OURS / f"{self.key}_listener.cpp", *([] if has_main else [OURS / f"{self.key}_main.cpp"])]
        return [*[each for each in ours if each.is_file()], *self.sources]

    def flags(self) -> list[str]:
        """Flags to compile these files."""
        return ["-std=c++17", *[f"-I{folder}" for folder in self._roots()]]

    def recipe(self) -> Recipe:
        """Compiles them for the engine."""

        def key() -> str:
            headers = [file for folder in (self.headers, *self._roots()) for file in sorted(folder.rglob("*.h*"))]
            contents = [file.read_bytes() for file in (*self.files(has_main=False), *headers, Path(__file__))]
            return compilation_cache.key("libtest", zig_version(), binding.version(), *command(Path()), *contents)

        def sources() -> list[LibrarySource]:
            return [LibrarySource(f"{self.key}/{file.name}", file) for file in self.files(has_main=False)]

        def command(folder: Path) -> list[str]:
            seen = [f"-ffile-prefix-map={path}={SEEN_AS}/{self.key}" for path in (OURS, *self._roots())]
            return [*cpp_build.CPP.command(folder), "-DUNFORK_ENGINE", *seen, *self.flags(), f"-I{INCLUDE}", *INSTALLED]

        return Recipe(self.name, key, sources, command, lambda source, folder: source.path)

    def _roots(self) -> list[Path]:
        return [source.parent.parent for source in self.sources]


_GOOGLETEST = Path("/usr/src/googletest")
FRAMEWORKS = (
    Framework(
        "GoogleTest",
        "gtest",
        ("_ZN7testing8internal23MakeAndRegisterTestInfo",),
        Path("/usr/include/gtest"),
        (_GOOGLETEST / "googletest/src/gtest-all.cc",),
    ),
    Framework(
        "GoogleMock",
        "gmock",
        ("_ZN7testing8internal25UntypedFunctionMockerBase", "_ZN7testing8internal24FormatMatcherDescription"),
        Path("/usr/include/gmock"),
        (_GOOGLETEST / "googlemock/src/gmock-all.cc",),
    ),
    Framework("Catch2", "catch", ("_ZN5Catch7AutoReg",), Path("/usr/include/catch2")),
)


def used(names: Collection[str], text: Callable[[], str]) -> list[Framework]:
    """The frameworks of a module that defines or needs ``names``; its ``text`` shows the headers of its tests."""
    marked = [each for each in FRAMEWORKS if _is_marked(each, names)]
    return [each for each in marked if f"{LIBRARY_FOLDER}installed/{each.headers.name}/" in text()]


def native(program: Program) -> tuple[tuple[Path, tuple[str, ...]], ...]:
    """Files, each with flags, that a native build of a program with linked frameworks compiles too."""
    has_main = "main" not in program.library
    linked = [each for each in FRAMEWORKS if _is_marked(each, program.library)]
    return tuple([(file, tuple(each.flags())) for each in linked for file in each.files(has_main)])


def _is_marked(framework: Framework, names: Collection[str]) -> bool:
    return any(name.startswith(framework.marks) for name in names)
