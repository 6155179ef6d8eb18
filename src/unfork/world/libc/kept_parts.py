"""What the user's cache holds: the parts that are built once, their sizes, and how all of it is removed."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from unfork.errors import InputError
from unfork.program.llvm import compilation_cache
from unfork.world.libc import framework_build, kit, libc, make_kit
from unfork.world.libc.build_store import UNFINISHED, Progress
from unfork.world.libc.library_build import Recipe


@dataclass(frozen=True, slots=True)
class KeptPart:
    """``build`` makes it unless it is there, and returns where it is; ``paths`` are all that belongs to it."""

    name: str
    build: Callable[[Progress], Path]
    is_there: Callable[[], bool]
    paths: Sequence[Path]

    def size(self) -> int | None:
        """Its bytes; None if it is not built."""
        return sum(map(_size, self.paths)) if self.is_there() else None


def parts(*, is_cpp: bool) -> list[KeptPart]:
    """The parts, in the order in which they are built: what the C programs of later commands need, and C++ ones."""
    found = [_library(libc.C_LIBRARY), _native(is_cpp=False)]
    if is_cpp:
        installed = [each for each in framework_build.FRAMEWORKS if each.is_installed()]
        found += [_library(libc.CPP_LIBRARY), _native(is_cpp=True), *[_library(each.recipe()) for each in installed]]
    return found


def _library(recipe: Recipe) -> KeptPart:
    folder = compilation_cache.folder() / recipe.key()
    return KeptPart(recipe.name, lambda progress: libc.build(progress, recipe), lambda: libc.is_built(recipe), [folder])


def _native(*, is_cpp: bool) -> KeptPart:
    """The kit, or its part for C++; the C library's size includes what zig has compiled of either."""
    try:
        found = kit.kit()
    except kit.NoKit as problem:
        raise InputError(str(problem)) from None

    def build(progress: Progress) -> Path:
        try:
            make_kit.obtain(progress, is_cpp=is_cpp)
        except kit.NoKit as problem:
            raise InputError(str(problem)) from None
        return place

    place = Path(found.home, *([kit.CPP_LIBRARY] if is_cpp else []))
    name = make_kit.CPP_NAME if is_cpp else make_kit.C_NAME
    compiled = [] if is_cpp or os.environ.get(make_kit.ZIG_CACHE) else [make_kit.zig_cache()]
    return KeptPart(name, build, lambda: found.is_made(is_cpp=is_cpp), [place, *compiled])


def entries() -> tuple[int, int]:
    """How many small entries there are of what runs compiled and scans found, and their bytes in all."""
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
    """Empty the cache, entries of other versions included; returns how many there were.

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
    """Our entries in the folder: UNFORK_CACHE may name one that holds other files too."""
    for pattern in (
        "libc-*",
        "libcpp-*",
        "libtest-*",
        "toolchain-" + "[0-9a-f]" * 8,
        f"{UNFINISHED}*",
        "toolchain-zig",
        "*.entry",
        "new-*",
    ):
        yield from sorted(home.glob(pattern))
