"""The C library that programs are linked with: musl, compiled once into the user's cache and read member by member."""

from __future__ import annotations

import contextlib
import fcntl
import json
import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from unfork.environment import archive, musl_build
from unfork.environment.musl_build import INDEX, MEMBERS, Told
from unfork.errors import InputError
from unfork.llvm import binding, cache

if TYPE_CHECKING:
    from unfork.environment.archive import Symbols

Progress = Callable[[], AbstractContextManager[Told]]
"""Starts to show that the library is being built; yields the function that is told how far it is."""
_LOCK = "libc.lock"
_UNFINISHED = "unfinished-"


class Libc:
    """Links programs with the members that they need. ``is_given`` accepts names that the engine itself models."""

    def __init__(self, is_given: Callable[[str], bool], progress: Progress) -> None:
        self._is_given = is_given
        self._progress = progress

    def complete(self, module: binding.Module) -> frozenset[str]:
        """Link what it needs into ``module``; returns the names of the functions that were added.

        The program's own definitions win. Raises InputError if the library cannot be built or read.
        """
        defined, needed = binding.symbols(module)
        wanted = {name for name in needed if not self._is_given(name)}
        if not wanted:
            return frozenset()
        library = Built(obtain(self._progress))
        members = library.archive.closure(wanted, defined, self._is_given)
        if not members:
            return frozenset()
        theirs = frozenset(defined)
        for name in members:
            part = library.module(name)
            binding.yield_to(part, theirs & library.archive.symbols(name).strong)
            binding.link(module, part, Path(name))
        added, _ = binding.symbols(module)
        return frozenset(added) - theirs


class Built:
    """The library in a folder of the cache."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._places: dict[str, tuple[int, int, int]] = {}
        members: dict[str, Symbols] = {}
        for entry in json.loads((folder / INDEX).read_text()):
            name = entry["name"]
            self._places[name] = (entry["start"], entry["size"], entry["check"])
            members[name] = archive.Symbols(*(frozenset(entry[kind]) for kind in ("strong", "weak", "needed")))
        self.archive = archive.Archive(members)

    def module(self, name: str) -> binding.Module:
        """One member, parsed. Raises InputError if it is damaged."""
        start, size, check = self._places[name]
        with open(self._folder / MEMBERS, "rb") as file:
            file.seek(start)
            data = file.read(size)
        if len(data) != size or zlib.crc32(data) != check:
            raise InputError(f"the C library in {self._folder} is damaged: run 'unfork cache clear'")
        return binding.parse(data)


def obtain(progress: Progress) -> Path:
    """The folder of the library, which is built if it is missing. Raises InputError if that fails."""
    folder = cache.folder() / musl_build.key()
    return folder if _is_whole(folder) else build(progress)


def build(progress: Progress) -> Path:
    """Build the library, unless another process has done so meanwhile; returns its folder.

    The folder gets its name only once it is complete. What a build that was broken off has compiled is used. Raises
    InputError, in one line, if the folder cannot be written.
    """
    home = cache.made()
    if home is None:
        raise InputError(
            f"the cache folder {cache.folder()} cannot be written to: set UNFORK_CACHE, or use --libc none"
        )
    folder = home / musl_build.key()
    if _is_whole(folder):
        return folder
    try:
        with progress() as told, _only_one(home):
            if not _is_whole(folder):
                _finish(home / f"{_UNFINISHED}{folder.name}", folder, told)
    except OSError as error:
        raise InputError(
            f"the C library cannot be built in {home}: {error.strerror or error}; set UNFORK_CACHE, or use --libc none"
        ) from None
    return folder


def _finish(unfinished: Path, folder: Path, told: Told) -> None:
    """Begin a build in the folder ``unfinished``, or go on with it, and give it its name."""
    for left in unfinished.parent.glob(f"{_UNFINISHED}*"):
        if left != unfinished:
            shutil.rmtree(left, ignore_errors=True)
    unfinished.mkdir(exist_ok=True)
    try:
        musl_build.build(unfinished, told)
    except InputError:  # what was kept may be damaged: the next build begins anew
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    shutil.rmtree(folder, ignore_errors=True)
    unfinished.rename(folder)


def is_built() -> bool:
    """Whether the library is there."""
    return _is_whole(cache.folder() / musl_build.key())


def clear() -> int:
    """Empty the cache, entries of other versions included; returns how many there were.

    Raises InputError if one cannot be removed.
    """
    home = cache.folder()
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
    for pattern in ("libc-*", "toolchain-" + "[0-9a-f]" * 8, f"{_UNFINISHED}*", "*.entry", "new-*"):
        yield from sorted(home.glob(pattern))


def _is_whole(folder: Path) -> bool:
    """Whether the library is there. A folder gets its name once all is written; later damage shows on reading."""
    try:
        return (folder / INDEX).stat().st_size > 0 and (folder / MEMBERS).stat().st_size > 0
    except OSError:
        return False


@contextlib.contextmanager
def _only_one(home: Path) -> Iterator[None]:
    """A lock for one process at a time. It is released when that process ends, however it ends."""
    with open(home / _LOCK, "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
