"""The run directory. Each file in it appears whole or not at all."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from unfork.errors import InputError, UnforkError

LAST = "unfork-last"
_PREFIX = "unfork-out-"
FULL = frozenset([errno.ENOSPC, errno.EDQUOT, errno.EFBIG])


_FOLDERS = frozenset(("tests", "errors"))
_SUMMARIES = frozenset(("summary.json", "scan.json"))
"""A run directory has one of these."""


class WriteFailed(UnforkError):
    """A file of the run directory cannot be written; the message is one clear line."""

    stop = "write-failed"
    """The ``stopped_by`` of a run that this ends."""


class DiskFull(WriteFailed):
    """The disk is full."""

    stop = "disk-full"


class Folder(Protocol):
    """Stores the files of tests and errors."""

    def write(self, name: str, data: bytes) -> None:
        """Store the file ``name``. Raises WriteFailed."""


class RunDirectory:
    """A directory that this run owns."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, name: str, data: bytes) -> None:
        """Write the file ``name`` whole: readers see the old content or the new. Raises WriteFailed."""
        target = self.root / name
        part = target.with_name(target.name + ".part")
        try:
            with open(part, "wb") as file:
                file.write(data)
            os.replace(part, target)
        except OSError as error:
            with contextlib.suppress(OSError):
                part.unlink()
            raise write_failed(target, error) from None


def way_back(out: str | None) -> str:
    """The current folder, relative to the run directory: names of files start there, and both may move."""
    return os.path.relpath(".", out or _PREFIX)


def write_file(path: Path, data: bytes) -> None:
    """Write a file of the user's choice, whole or not at all. Raises WriteFailed.

    A pipe, a device or a link is written to, and not replaced by a file.
    """
    if not path.is_symlink() and (path.is_file() or not path.exists()):
        RunDirectory(path.parent).write(path.name, data)
        return
    try:
        path.write_bytes(data)
    except OSError as error:
        raise write_failed(path, error) from None


def write_failed(target: Path | str, error: OSError) -> WriteFailed:
    """The error in one line."""
    if error.errno in FULL:
        return DiskFull(f"cannot write {target}: the disk is full")
    reason = error.strerror or str(error)
    return WriteFailed(f"cannot write {target}: {gone(Path(target)) or reason}")


def gone(target: Path) -> str | None:
    """A complaint if the file's directory does not exist."""
    return None if target.parent.is_dir() else f"the directory {target.parent} is gone"


def check_root(out: str | None) -> None:
    """Check the place of the run directory before anything is compiled or written. Raises InputError."""
    parent = Path(out).parent if out is not None else Path()
    if out is not None and not out:
        raise InputError("--out: an empty name")
    while not os.path.lexists(parent) and parent != parent.parent:
        parent = parent.parent  # missing folders above the run directory will be made
    if not parent.is_dir():
        raise InputError(f"--out {out}: {parent} is no directory")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise InputError(f"cannot write to {parent.resolve()}; choose another place with --out")
    if out is not None and os.path.lexists(out) and not _is_empty(Path(out)):
        raise InputError(f"--out {out}: exists already")


def create(out: str | None) -> RunDirectory:
    """Make the run directory: ``out``, or the next unfork-out-N with the link unfork-last. Raises InputError.

    Among runs that start in ``out`` at once, the first to make a folder there owns it.
    """
    try:
        root = _make_next() if out is None else Path(out)
        root.mkdir(parents=True, exist_ok=True)
        try:
            (root / "tests").mkdir()
        except FileExistsError:
            raise InputError(f"--out {out}: exists already") from None
        (root / "errors").mkdir(exist_ok=True)
        if out is None:
            _link_last(root)
    except OSError as error:
        raise InputError(str(write_failed(Path(out or _PREFIX + "N"), error))) from None
    return RunDirectory(root)


def is_written_by_run(folders: Iterable[str], files: Iterable[str]) -> bool:
    """Whether these folders and files make a run directory."""
    return _FOLDERS.issubset(folders) and not _SUMMARIES.isdisjoint(files)


@contextlib.contextmanager
def claim(directory: RunDirectory) -> Iterator[None]:
    """Lock a run directory against other writers. Raises InputError if there is one."""
    folder = os.open(directory.root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(folder)
        raise InputError(f"{directory.root}: another process is writing this run") from None
    except OSError:
        pass  # a file system without locks
    try:
        yield
    finally:
        os.close(folder)


def _is_empty(path: Path) -> bool:
    return path.is_dir() and not any(path.iterdir())


def _make_next() -> Path:
    taken = [name[len(_PREFIX) :] for name in os.listdir() if name.startswith(_PREFIX)]
    number = max((int(suffix) for suffix in taken if suffix.isdigit()), default=-1) + 1
    while True:
        root = Path(f"{_PREFIX}{number}")
        try:
            root.mkdir()
            return root
        except FileExistsError:
            number += 1


def _link_last(root: Path) -> None:
    """Point unfork-last to ``root``; a file or directory with that name is the user's and stays."""
    if os.path.lexists(LAST) and not os.path.islink(LAST):
        return
    part = f"{LAST}.part-{os.getpid()}"
    os.symlink(root, part)
    os.replace(part, LAST)
