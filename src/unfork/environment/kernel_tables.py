"""What the kernel remembers of one path: inodes, open files, descriptors, and the process itself; all immutable."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from unfork.environment.linux import OPEN_MAX, S_IFCHR, S_IFDIR, S_IFIFO, S_IFLNK, S_IFREG
from unfork.errors import Unsupported
from unfork.logic.term import Value
from unfork.state.state import State

Entry = TypeVar("Entry")

KERNEL = "kernel"
"""Where State.environment keeps the tables."""

Name = tuple[Value, ...]
"""A file's name within its directory: values of 8 bits, since a program may make a file with a symbolic name."""

Sort = Literal["file", "directory", "link", "pipe", "output", "null", "zero", "full", "random"]

FILE_TYPES: dict[Sort, int] = {
    "file": S_IFREG,
    "directory": S_IFDIR,
    "link": S_IFLNK,
    "pipe": S_IFIFO,
    "output": S_IFIFO,
    "null": S_IFCHR,
    "zero": S_IFCHR,
    "full": S_IFCHR,
    "random": S_IFCHR,
}

ROOT = 1
"""The inode of the root directory."""
USER = 1000
"""The user and the group that the program runs as."""
START = 1_700_000_000 * 10**9
"""The time when the program starts, in nanoseconds since 1970."""
TICK = 1_000
"""How many nanoseconds pass each time the program asks for the time."""


@dataclass(frozen=True, slots=True)
class Inode:
    """A file of any sort. ``contents.name_of`` gives the memory object that holds its contents.

    ``size`` is in bytes (64 bits); contents beyond it are 0. In a pipe, the bytes before ``consumed`` (64 bits) have
    been read. ``mode`` is 12 bits. Times are in nanoseconds (64 bits).
    """

    sort: Sort
    mode: int
    owner: int = USER
    size: Value = 0
    links: int = 1
    entries: tuple[tuple[Name, int], ...] = ()
    """In a directory: names and their inodes, oldest first; 0 where a name was removed."""
    parent: int = ROOT
    target: Name = ()
    """The path in a symbolic link."""
    stream: int = 0
    """The descriptor that an output is shown as."""
    consumed: Value = 0
    is_mapped: bool = False
    """Whether a shared mapping shows the contents."""
    accessed: Value = START
    modified: Value = START
    changed: Value = START


@dataclass(frozen=True, slots=True)
class OpenFile:
    """What open makes and dup shares. ``offset`` is 64 bits; ``flags`` are those of open."""

    inode: int
    flags: int
    offset: Value = 0


@dataclass(frozen=True, slots=True)
class Descriptor:
    """An entry of the process's table: the number of an open file."""

    file: int
    closes_on_exec: bool = False


@dataclass(frozen=True, slots=True)
class Kernel:
    """All the tables. Inode, file and descriptor numbers are positions in their tuples; None means free."""

    inodes: tuple[Inode | None, ...]
    files: tuple[OpenFile | None, ...] = ()
    descriptors: tuple[Descriptor | None, ...] = ()
    directory: int = ROOT
    """The inode of the current directory."""
    mask: int = 0o022
    clock: Value = START
    failures: int = 0
    """How many calls may still fail."""
    pending: Value | None = None
    """How the current call fails (8 bits), once chosen: after a fork the call runs again and must fail the same way."""
    not_modelled: frozenset[str] = frozenset()
    """System calls without a model that this path has made."""
    handlers: tuple[tuple[int, tuple[Value, ...]], ...] = ()
    """Signal actions: a signal and the four words of its struct sigaction (64 bits each)."""
    blocked: Value = 0
    signal_stack: tuple[Value, Value, Value] = (0, 2, 0)
    break_object: int = 0
    limits: tuple[tuple[int, tuple[Value, Value]], ...] = ()
    nice: Value = 0
    """The process's priority, 64 bits: -20 to 19, of which 19 is the lowest."""
    drawn: int = 0
    """Random bytes drawn so far."""

    def inode(self, number: int) -> Inode:
        """The inode with this number, which must be in use."""
        inode = self.inodes[number]
        assert inode is not None
        return inode

    def file(self, number: int) -> OpenFile:
        """The open file with this number, which must be in use."""
        file = self.files[number]
        assert file is not None
        return file

    def with_inode(self, number: int, inode: Inode) -> Kernel:
        """The tables with ``inode`` at ``number``."""
        return replace(self, inodes=_put(self.inodes, number, inode))

    def with_new_inode(self, inode: Inode) -> tuple[Kernel, int]:
        """The tables with one more inode, and its number. Numbers are never reused."""
        return replace(self, inodes=(*self.inodes, inode)), len(self.inodes)

    def with_file(self, number: int, file: OpenFile) -> Kernel:
        """The tables with ``file`` at ``number``."""
        return replace(self, files=_put(self.files, number, file))

    def lowest_free(self, least: int = 0) -> int | None:
        """The lowest free descriptor from ``least`` on; None if there is none."""
        for number in range(least, OPEN_MAX):
            if number >= len(self.descriptors) or self.descriptors[number] is None:
                return number
        return None

    def opened(self, descriptor: int, file: OpenFile, *, closes_on_exec: bool = False) -> Kernel:
        """The tables after ``descriptor``, which must be free, is given a new open file."""
        number = next((position for position, other in enumerate(self.files) if other is None), len(self.files))
        tables = replace(self, files=_put(self.files, number, file))
        return tables.duplicated(descriptor, number, closes_on_exec=closes_on_exec)

    def duplicated(self, descriptor: int, file: int, *, closes_on_exec: bool = False) -> Kernel:
        """The tables after ``descriptor``, which must be free, is given the open file ``file``."""
        return replace(self, descriptors=_put(self.descriptors, descriptor, Descriptor(file, closes_on_exec)))

    def closed(self, descriptor: int) -> Kernel:
        """The tables without a descriptor. Its open file goes too if no other descriptor names it."""
        gone = self.descriptors[descriptor]
        assert gone is not None
        left = _put(self.descriptors, descriptor, None)
        if any(entry is not None and entry.file == gone.file for entry in left):
            return replace(self, descriptors=left)
        return replace(self, descriptors=left, files=_put(self.files, gone.file, None))

    def openings(self, inode: int) -> list[OpenFile]:
        """The open files of an inode."""
        return [file for file in self.files if file is not None and file.inode == inode]


def kernel_of(state: State) -> Kernel:
    """The kernel's tables in a state. Raises Unsupported where the program has no world."""
    kernel: Kernel | None = state.environment.get(KERNEL)
    if kernel is None:
        raise Unsupported("a system call where no world was made")
    return kernel


def _put(table: tuple[Entry | None, ...], position: int, entry: Entry | None) -> tuple[Entry | None, ...]:
    if position >= len(table):
        return (*table, *[None] * (position - len(table)), entry)
    return (*table[:position], entry, *table[position + 1 :])
