"""The user's cache: the parts built once, their sizes, and their removal."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from unfork.errors import InputError
from unfork.program.llvm import compilation_cache
from unfork.world.libc import framework_build, fuzz_driver, kit, libc, make_kit
from unfork.world.libc.build_store import UNFINISHED, Progress
from unfork.world.libc.library_build import Recipe


@dataclass(frozen=True, slots=True)
class KeptPart:
    """A part: ``build`` makes it if needed and returns its path; ``paths`` are all its files."""

    name: str
    build: Callable[[Progress], Path]
    is_there: Callable[[], bool]
    paths: Sequence[Path]

    def size(self) -> int | None:
        """Its bytes; None if not built."""
        return sum(map(_size, self.paths)) if self.is_there() else None


def parts(*, is_cpp: bool) -> list[KeptPart]:
    """The parts in order of building: those that later commands need for C, and for C++."""
    listed = [_library(libc.C_LIBRARY), _native(is_cpp=False)]
    if is_cpp:
        installed = [each for each in framework_build.FRAMEWORKS if each.is_installed()]
        listed += [_library(libc.CPP_LIBRARY), _native(is_cpp=True), *[_library(each.recipe()) for each in installed]]
    return [*listed, _library(fuzz_driver.DRIVER)]


def _library(recipe: Recipe) -> KeptPart:
    folder = compilation_cache.folder() / recipe.key()
    return KeptPart(recipe.name, lambda progress: libc.build(progress, recipe), lambda: libc.is_built(recipe), [folder])


def _native(*, is_cpp: bool) -> KeptPart:
    """The kit, or its C++ part; the C library's size includes zig's compilations for both."""
    try:
        own_kit = kit.kit()
    except kit.NoKit as problem:
        raise InputError(str(problem)) from None

    def build(progress: Progress) -> Path:
        try:
            make_kit.obtain(progress, is_cpp=is_cpp)
        except kit.NoKit as problem:
            raise InputError(str(problem)) from None
        return place

    place = Path(own_kit.home, *([kit.CPP_LIBRARY] if is_cpp else []))
    name = make_kit.CPP_NAME if is_cpp else make_kit.C_NAME
    compiled = [] if is_cpp or os.environ.get(make_kit.ZIG_CACHE) else [make_kit.zig_cache()]
    return KeptPart(name, build, lambda: own_kit.is_made(is_cpp=is_cpp), [place, *compiled])


def entries() -> tuple[int, int]:
    """The number of small entries (programs' bitcode, findings of scans), and their bytes."""
    sizes = [_size(path) for path in compilation_cache.folder().glob("*.entry")]
    return len(sizes), sum(sizes)


def _size(path: Path) -> int:
    """The bytes of a file, or of all files below a folder; links count as themselves."""
    below = [Path(folder, name) for folder, _, files in os.walk(path) for name in files]
    total = 0
    for file in below or [path]:
        with contextlib.suppress(OSError):
            total += file.lstat().st_size
    return total


def clear() -> int:
    """Empty the cache, other versions' entries included; returns their number.

    Raises InputError if one cannot be removed.
    """
    home = compilation_cache.folder()
    count = 0
    for entry in _entries(home):
        try:
            if entry.is_dir():
                shutil.rmtree(entry)
            else:
                entry.unlink()
        except FileNotFoundError:
            continue
        except OSError as error:
            raise InputError(f"{entry} cannot be removed ({error.strerror})") from None
        count += 1
    return count


def _entries(home: Path) -> Iterable[Path]:
    """Our entries in the folder: UNFORK_CACHE may name one with other files."""
    for pattern in (
        "libc-*",
        "libcpp-*",
        "libtest-*",
        "libfuzz-*",
        "toolchain-" + "[0-9a-f]" * 8,
        f"{UNFINISHED}*",
        "toolchain-zig",
        "*.entry",
        "new-*",
    ):
        yield from sorted(home.glob(pattern))
