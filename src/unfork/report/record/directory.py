"""The run directory, made at the start of a run. Each file in it appears whole or not at all."""

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
"""The folders of every run directory."""
_SUMMARIES = frozenset(("summary.json", "scan.json"))
"""The files of which it has one."""


class WriteFailed(UnforkError):
    """A file of the run directory cannot be written; the message is one clear line."""

    stop = "write-failed"
    """What stopped a run that cannot go on for it."""


class DiskFull(WriteFailed):
    """There is no room for it."""

    stop = "disk-full"


class Folder(Protocol):
    """Takes the files of tests and errors."""

    def write(self, name: str, data: bytes) -> None:
        """Keep the file ``name``. Raises WriteFailed."""


class RunDirectory:
    """A directory that this run owns. Raises WriteFailed when it cannot be written to."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, name: str, data: bytes) -> None:
        """Write the file ``name`` whole: a reader sees the old content or the new. Raises WriteFailed."""
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
    """The current folder as seen from the run directory: a run names files from there, and both may be moved."""
    return os.path.relpath(".", out or _PREFIX)


def write_file(path: Path, data: bytes) -> None:
    """Write a file where the user wants it: whole or not at all. Raises WriteFailed.

    A pipe, a device or a link is written to, for it must not be replaced by a file.
    """
    if not path.is_symlink() and (path.is_file() or not path.exists()):
        RunDirectory(path.parent).write(path.name, data)
        return
    try:
        path.write_bytes(data)
    except OSError as error:
        raise write_failed(path, error) from None


def write_failed(target: Path | str, error: OSError) -> WriteFailed:
    """The error for a file that cannot be written: one line."""
    if error.errno in FULL:
        return DiskFull(f"cannot write {target}: the disk is full")
    reason = error.strerror or str(error)
    return WriteFailed(f"cannot write {target}: {gone(Path(target)) or reason}")


def gone(target: Path) -> str | None:
    """What is wrong if the directory of a file is not there."""
    return None if target.parent.is_dir() else f"the directory {target.parent} is gone"


def check_root(out: str | None) -> None:
    """Check where the run directory will be before anything is compiled or written. Raises InputError."""
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
    """Make the run directory: ``out``, or the next unfork-out-N, linked as unfork-last. Raises InputError.

    Of several runs that begin in ``out`` at once, it belongs to the one that makes the first folder there.
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
    """Whether a directory with these ``folders`` and ``files`` is a run directory."""
    return _FOLDERS.issubset(folders) and not _SUMMARIES.isdisjoint(files)


@contextlib.contextmanager
def claim(directory: RunDirectory) -> Iterator[None]:
    """Keep other processes from writing a run directory. Raises InputError if one of them does so."""
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
    """Point unfork-last to ``root``. A file or directory with that name belongs to the user and stays."""
    if os.path.lexists(LAST) and not os.path.islink(LAST):
        return
    part = f"{LAST}.part-{os.getpid()}"
    os.symlink(root, part)
    os.replace(part, LAST)
