"""The kernel's tables on one path: inodes, open files, descriptors, the process; all immutable."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from unfork.engine.state.merge_rules import (
    ByNamePart,
    EachPart,
    EitherPart,
    EqualPart,
    NumberPart,
    OneOf,
    PaddedPart,
    RecordPart,
    cases_of,
)
from unfork.engine.state.remembered import Fact
from unfork.engine.state.state import State
from unfork.errors import Unsupported
from unfork.logic.terms.term import Value
from unfork.world.kernel.linux import (
    O_ACCMODE,
    O_RDONLY,
    O_WRONLY,
    OPEN_MAX,
    S_IFCHR,
    S_IFDIR,
    S_IFIFO,
    S_IFLNK,
    S_IFREG,
)

Entry = TypeVar("Entry")

Name = tuple[Value, ...]
"""A file's name within its directory, as 8-bit values: a program may create a file with a symbolic name."""
Long = Annotated[Value, NumberPart(64)]
"""A 64-bit number that may depend on inputs."""
Known = Annotated[int, EqualPart()]
"""A number that never depends on inputs."""

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
USER = 1000
"""The program's user and group."""
START = 1_700_000_000 * 10**9
"""The time at the program's start, in nanoseconds since 1970."""
TICK = 1_000
"""Nanoseconds that pass at each query of the time."""


@dataclass(frozen=True, slots=True)
class Inode:
    """A file of any sort. ``contents.name_of`` gives the memory object of its contents.

    ``size`` is in bytes (64 bits); contents beyond it are 0. A pipe's bytes before ``consumed`` (64 bits) have been
    read. ``mode`` is 12 bits. Times are in nanoseconds (64 bits).
    """

    sort: Annotated[Sort, EqualPart()]
    mode: Known
    owner: Known = USER
    size: Long = 0
    links: Known = 1
    entries: Annotated[tuple[tuple[Name, int], ...], ByNamePart()] = ()
    """A directory's names and inodes, oldest first; 0 for a removed name."""
    parent: Known = ROOT
    target: Annotated[Name, ByNamePart()] = ()
    stream: Known = 0
    """The descriptor under which output appears."""
    consumed: Long = 0
    is_mapped: Annotated[bool, EqualPart()] = False
    accessed: Long = START
    modified: Long = START
    changed: Long = START


@dataclass(frozen=True, slots=True)
class OpenFile:
    """The result of open, shared by dup. ``offset`` is 64 bits; ``flags`` are open's."""

    inode: Known
    flags: Known
    offset: Long = 0

    @property
    def is_read_only(self) -> bool:
        """Whether it may not be written (with O_PATH, neither read)."""
        return self.flags & O_ACCMODE == O_RDONLY

    @property
    def is_write_only(self) -> bool:
        return self.flags & O_ACCMODE == O_WRONLY


@dataclass(frozen=True, slots=True)
class Descriptor:
    """A descriptor of the process: the number of an open file."""

    file: Known
    closes_on_exec: Annotated[bool, EqualPart()] = False


TableName = Literal["inodes", "files", "descriptors"]
Slot: TypeAlias = Entry | OneOf[Entry | None] | None
"""A slot of a table: an entry, nothing, or one of several after a join of paths that differ in it."""


class Undecided(Exception):
    """A read of a slot whose entry the path has not decided yet."""

    def __init__(self, table: TableName, number: int) -> None:
        super().__init__(table, number)
        self.table: TableName = table
        self.number = number


@dataclass(frozen=True, slots=True)
class Kernel:
    """All tables. Inode, file and descriptor numbers are positions in their tuples; None is free.

    Reading an entry that a join left undecided raises Undecided.
    """

    inodes: Annotated[tuple[Slot[Inode], ...], EachPart(EitherPart(RecordPart()))]
    files: Annotated[tuple[Slot[OpenFile], ...], PaddedPart(EitherPart(RecordPart()))] = ()
    descriptors: Annotated[tuple[Slot[Descriptor], ...], PaddedPart(EitherPart(RecordPart()))] = ()
    directory: Known = ROOT
    mask: Known = 0o022
    clock: Long = START
    failures: Known = 0
    """The number of calls that may still fail."""
    pending: Annotated[Value | None, ByNamePart()] = None
    """How the current call fails (8 bits), once chosen: after a fork the call runs again and must fail the same way."""
    not_modelled: Annotated[frozenset[str], EqualPart()] = frozenset()
    """System calls of this path without a model."""
    handlers: Annotated[tuple[tuple[int, tuple[Value, ...]], ...], ByNamePart()] = ()
    """Signal actions: a signal and the four words of its struct sigaction (64 bits each)."""
    blocked: Long = 0
    signal_stack: Annotated[tuple[Value, Value, Value], ByNamePart()] = (0, 2, 0)
    break_object: Known = 0
    limits: Annotated[tuple[tuple[int, tuple[Value, Value]], ...], ByNamePart()] = ()
    nice: Long = 0
    """The process's priority, 64 bits: -20 to 19, of which 19 is the lowest."""

    def inode(self, number: int) -> Inode:
        inode = _entry("inodes", self.inodes, number)
        assert inode is not None
        return inode

    def file(self, number: int) -> OpenFile:
        file = _entry("files", self.files, number)
        assert file is not None
        return file

    def may_be_after(self, number: int) -> Iterator[tuple[OpenFile, Inode]]:
        """The possible values of an open file, each with its inode."""
        for _, file in cases_of(self.files[number]):
            if file is not None:
                for _, inode in cases_of(self.inodes[file.inode]):
                    if inode is not None:
                        yield file, inode

    def descriptor(self, number: int) -> Descriptor | None:
        """The entry of a descriptor; None if it is free or invalid."""
        return _entry("descriptors", self.descriptors, number)

    def may_be_open(self, number: int) -> bool:
        """Whether a descriptor is open, or was on a side of a join."""
        return 0 <= number < len(self.descriptors) and self.descriptors[number] is not None

    def at(self, slot: Undecided) -> OneOf[object]:
        entries = getattr(self, slot.table)[slot.number]
        assert isinstance(entries, OneOf)
        return entries

    def with_decision(self, slot: Undecided, entry: object) -> Kernel:
        change: dict[str, Any] = {slot.table: _put(getattr(self, slot.table), slot.number, entry)}
        return replace(self, **change)

    def with_inode(self, number: int, inode: Inode) -> Kernel:
        return replace(self, inodes=_put(self.inodes, number, inode))

    def with_new_inode(self, inode: Inode) -> tuple[Kernel, int]:
        """The tables with one more inode, and its number. Numbers are never reused."""
        return replace(self, inodes=(*self.inodes, inode)), len(self.inodes)

    def with_file(self, number: int, file: OpenFile) -> Kernel:
        return replace(self, files=_put(self.files, number, file))

    def lowest_free(self, least: int = 0) -> int | None:
        for number in range(least, OPEN_MAX):
            if not self.may_be_open(number):
                return number
            if (
                any(entry is None for _, entry in cases_of(self.descriptors[number]))
                and self.descriptor(number) is None
            ):
                return number
        return None

    def open_file(self, descriptor: int, file: OpenFile, *, closes_on_exec: bool = False) -> Kernel:
        """The tables with a new open file at ``descriptor``, which must be free."""
        number = next((position for position, other in enumerate(self.files) if other is None), len(self.files))
        tables = replace(self, files=_put(self.files, number, file))
        return tables.duplicate(descriptor, number, closes_on_exec=closes_on_exec)

    def duplicate(self, descriptor: int, file: int, *, closes_on_exec: bool = False) -> Kernel:
        """The tables with the open file ``file`` at ``descriptor``, which must be free or name that file."""
        return replace(self, descriptors=_put(self.descriptors, descriptor, Descriptor(file, closes_on_exec)))

    def close(self, descriptor: int) -> Kernel:
        """The tables without a descriptor, and without its open file if that was the last one."""
        closed = self.descriptor(descriptor)
        assert closed is not None
        left = replace(self, descriptors=_put(self.descriptors, descriptor, None))
        if any(True for _ in _matching("descriptors", left.descriptors, lambda entry: entry.file == closed.file)):
            return left
        return replace(left, files=_put(self.files, closed.file, None))

    def after_call(self, *, failed: bool) -> Kernel:
        """The tables after a call, minus a failure if it ``failed``; the next call chooses its failure anew."""
        if not failed and self.pending is None:
            return self
        return replace(self, pending=None, failures=self.failures - failed)

    def openings(self, inode: int) -> list[OpenFile]:
        return list(_matching("files", self.files, lambda file: file.inode == inode))


KERNEL: Fact[Kernel | None] = Fact("kernel", RecordPart(), None)
"""A path's tables; None without a world."""


def kernel_of(state: State) -> Kernel:
    """The kernel's tables of a state. Raises Unsupported if the program has no world."""
    kernel = state.remembered[KERNEL]
    if kernel is None:
        raise Unsupported("a system call where no world was made")
    return kernel


def _entry(table: TableName, slots: tuple[Slot[Entry], ...], number: int) -> Entry | None:
    slot = slots[number] if 0 <= number < len(slots) else None
    if isinstance(slot, OneOf):
        raise Undecided(table, number)
    return slot


def _matching(table: TableName, slots: tuple[Slot[Entry], ...], is_wanted: Callable[[Entry], bool]) -> Iterator[Entry]:
    """The matching entries; decides only those open slots that may have one."""
    for number, slot in enumerate(slots):
        if any(entry is not None and is_wanted(entry) for _, entry in cases_of(slot)):
            entry = _entry(table, slots, number)
            if entry is not None and is_wanted(entry):
                yield entry


def _put(table: tuple[Slot[Entry], ...], position: int, entry: Entry | None) -> tuple[Slot[Entry], ...]:
    if position >= len(table):
        return (*table, *[None] * (position - len(table)), entry)
    return (*table[:position], entry, *table[position + 1 :])
