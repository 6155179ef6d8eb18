"""A folder that native programs write to, as unfork uses it: no link or rename of theirs leads unfork elsewhere."""

from __future__ import annotations

import contextlib
import os
import stat
import weakref
from pathlib import Path


class HeldFolder:
    """Holds the folder ``path`` open and takes names in it alone. Methods raise OSError where the system refuses."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._number = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        weakref.finalize(self, os.close, self._number)

    def names(self) -> list[str]:
        """What is in it, sorted."""
        return sorted(os.listdir(self._number))

    def create(self, name: str) -> int:
        """The descriptor of a new file. Raises FileExistsError if anything has the name."""
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        return os.open(name, flags, 0o666, dir_fd=self._number)

    def write(self, name: str, data: bytes) -> None:
        """Write a new file. Raises FileExistsError if anything has the name."""
        with open(self.create(name), "wb") as file:
            file.write(data)

    def read(self, name: str, most: int) -> bytes | None:
        """A file's contents; None for what is no regular file, or larger than ``most`` bytes."""
        try:
            number = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=self._number)
        except OSError:
            return None
        with open(number, "rb") as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode) or about.st_size > most:
                return None
            return file.read(most)

    def size(self, name: str) -> int:
        """How many bytes a file has; 0 if there is none."""
        try:
            return os.stat(name, dir_fd=self._number, follow_symlinks=False).st_size
        except FileNotFoundError:
            return 0

    def remove(self, name: str) -> None:
        """Remove a file, which may be gone."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self._number)

    def move(self, name: str, to: HeldFolder, new: str) -> None:
        """Move a file, which may be gone."""
        with contextlib.suppress(FileNotFoundError):
            os.rename(name, new, src_dir_fd=self._number, dst_dir_fd=to._number)
