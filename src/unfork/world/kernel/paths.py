"""Path names: from characters, symbolic or not, to inodes. Paths fork over existing names, not over strings."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from unfork.engine.memory.strings import Characters, read_c_string
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.world.kernel import linux
from unfork.world.kernel.kernel_tables import ROOT, USER, Inode, Name
from unfork.world.kernel.system_call import CallRefused, SystemCall
from unfork.world.library.surroundings import lacks_file

SLASH = ord("/")
HERE: Name = tuple(b".")
ABOVE: Name = tuple(b"..")
LINKS = 40
READ, WRITE, SEARCH = 4, 2, 1


class LastComponent(Enum):
    """What the last part of a path must be."""

    TARGET = "the file, through symbolic links"
    LINK = "the file, or the symbolic link that it is"
    NAME = "the directory entry itself, of any sort; a slash after it has no meaning"


@dataclass(frozen=True, slots=True)
class Destination:
    """The target of a path. ``inode`` None: no file yet, and ``name`` in ``parent`` is free.

    ``name`` is () for the root.
    """

    parent: int
    name: Name
    inode: int | None
    wants_directory: bool

    @property
    def is_fixed(self) -> bool:
        """Whether the path ends in the root, "." or "..", which can be neither made nor removed."""
        return self.name in ((), HERE, ABOVE)


def look_up(
    call: SystemCall, pointer: int, directory: int | None = None, *, follows: bool = True, may_make: bool = False
) -> Destination:
    """The target of the path in argument ``pointer``, relative to the descriptor in argument ``directory``.

    ``follows``: whether to follow a symbolic link at the end. Raises CallRefused if a part of the path does not
    exist, is not a directory or may not be searched. The last part may be missing if the call ``may_make`` it.
    """
    characters = read_path(call, call.arguments[pointer], directory, may_make=may_make)
    entry = walk(
        call,
        base(call, directory, characters),
        characters,
        end=LastComponent.TARGET if follows else LastComponent.LINK,
        may_make=may_make,
    )
    if entry.inode is None and not may_make:
        raise _lacking(call, characters)
    return entry


def look_up_name(
    call: SystemCall, pointer: int, directory: int | None = None, *, may_make: bool = False
) -> Destination:
    """The name at the end of the path in argument ``pointer``, for calls that change names. Raises CallRefused."""
    characters = read_path(call, call.arguments[pointer], directory, may_make=may_make)
    entry = walk(call, base(call, directory, characters), characters, end=LastComponent.NAME, may_make=False)
    if entry.inode is None and not may_make:
        raise _lacking(call, characters)
    return entry


def existing(call: SystemCall, pointer: int, directory: int | None = None, *, follows: bool = True) -> int:
    """The inode number of a path argument. Raises CallRefused if there is none."""
    entry = look_up(call, pointer, directory, follows=follows)
    assert entry.inode is not None
    return entry.inode


# --- characters


def read_path(call: SystemCall, pointer: Value, directory: int | None, *, may_make: bool) -> list[Value]:
    """The characters of a path (8 bits each). Decides its length and slashes only as far as they matter.

    Raises CallRefused if the path is empty or too long.
    """
    characters = Characters(call.step, pointer)
    if characters.concrete_end() is None:
        if call.step.limits.measures_texts:
            known = _as_file_or_none(call, characters, directory, may_make=may_make)
        else:
            known = None if may_make else _as_existing(call, characters, directory)
        if known is not None:
            return known
    text = read_c_string(call.step, pointer)
    if not text:
        raise CallRefused(linux.ENOENT)
    if len(text) >= linux.PATH_MAX:
        raise CallRefused(linux.ENAMETOOLONG)
    return text


def _as_existing(call: SystemCall, characters: Characters, directory: int | None) -> list[Value] | None:
    """The existing name that a symbolic path equals; None if it has slashes. Raises CallRefused for other names."""
    number = _base(call, directory)
    step = call.step
    names = [HERE, ABOVE, *[name for name, inode in call.kernel.inode(number).entries if inode]]
    for name in names:
        if step.decide(_equals(characters, name)):
            return list(name)
    going: Value = 1
    has_slash: Value = 0
    for index in range(linux.NAME_MAX + 1):
        byte = characters.under(index, going)
        has_slash = build.either(has_slash, build.both(going, build.eq(byte, SLASH, 8)))
        going = build.both(going, build.ne(byte, 0, 8))
        if going == 0:
            break
    if step.decide(build.either(has_slash, going)):
        return None
    raise _lacking(call, [characters.at(0)])


def _as_file_or_none(
    call: SystemCall, characters: Characters, directory: int | None, *, may_make: bool
) -> list[Value] | None:
    """The file or, if the call ``may_make`` it, the free name that a symbolic path is assumed to equal; None if it
    cannot. Raises CallRefused for the other paths, which are assumed to lead nowhere.

    A path per length and per slash would tell nothing of the program that such a choice does not.
    """
    step, number = call.step, _base(call, directory)
    entries = [(name, inode) for name, inode in call.kernel.inode(number).entries if inode]
    files = [name for name, inode in entries if call.kernel.inode(inode).sort == "file"]
    names = [*files, _free(name for name, _ in entries)] if may_make else files
    for name in names:
        if step.decide(_equals(characters, name)):
            return list(name)
    first = characters.at(0)
    begun = {SLASH, ord("."), *(name[0] for name, _ in entries)}
    is_nowhere = build.eq(first, 0, 8) if may_make else build.conjunction([build.ne(first, each, 8) for each in begun])
    if step.chain.must(step.state.path, build.negate(is_nowhere)):
        return None
    step.assume(is_nowhere)
    raise _lacking(call, [first], names)


def _free(taken: Iterable[Name]) -> Name:
    """A name that is not taken: the first of A, AA, AAA, ..."""
    known = {*taken}
    return next(name for count in itertools.count(1) if (name := (ord("A"),) * count) not in known)


def _lacking(call: SystemCall, path: Sequence[Value], names: Sequence[Name] = ()) -> CallRefused:
    lacks_file(call.step, path, names)
    return CallRefused(linux.ENOENT)


def _equals(characters: Characters, name: Name) -> Value:
    going: Value = 1
    for index, wanted in enumerate((*name, 0)):
        going = build.both(going, build.eq(characters.under(index, going), wanted, 8))
        if going == 0:
            return 0
    return going


def _base(call: SystemCall, directory: int | None) -> int:
    if directory is None or call.number(directory, "the directory") == linux.AT_FDCWD:
        return call.kernel.directory
    _, file, inode = call.open_file(directory)
    if inode.sort != "directory":
        raise CallRefused(linux.ENOTDIR)
    return file.inode


def base(call: SystemCall, directory: int | None, characters: list[Value]) -> int:
    """The start directory of ``characters``: the root if the path is absolute."""
    if call.step.decide(build.eq(characters[0], SLASH, 8)):
        return ROOT
    return _base(call, directory)


# --- directories


def walk(call: SystemCall, start: int, characters: list[Value], *, end: LastComponent, may_make: bool) -> Destination:
    """The target of ``characters`` from the directory ``start``. With ``may_make``, the path must not end in a
    slash.

    Raises CallRefused if a part does not exist, is not a directory or may not be searched.
    """
    pending, wants_directory = _parts(call, characters)
    name: Name = ()
    parent = inode = start
    links = 0
    while pending:
        parent, name = inode, pending.pop()
        directory = searchable(call, parent)
        entry = _entry(call, parent, directory, name)
        if may_make and wants_directory and not pending and (entry is None or entry[0] not in (HERE, ABOVE)):
            raise CallRefused(linux.EISDIR)
        if entry is None:
            if pending:
                raise _lacking(call, characters)
            if len(name) > linux.NAME_MAX:
                raise CallRefused(linux.ENAMETOOLONG)
            return Destination(parent, name, None, wants_directory)
        name, inode = entry
        file = call.kernel.inode(inode)
        if file.sort == "link" and (
            pending or end is LastComponent.TARGET or (end is LastComponent.LINK and wants_directory)
        ):
            links += 1
            if links > LINKS:
                raise CallRefused(linux.ELOOP)
            more, ends_in_slash = _parts(call, list(file.target))
            wants_directory = wants_directory or (ends_in_slash and not pending)
            pending += more
            inode = ROOT if call.step.decide(build.eq(file.target[0], SLASH, 8)) else parent
            name = ()
    if wants_directory and end is not LastComponent.NAME and call.kernel.inode(inode).sort != "directory":
        raise CallRefused(linux.ENOTDIR)
    return Destination(parent, name, inode, wants_directory)


def searchable(call: SystemCall, number: int) -> Inode:
    """The inode ``number``. Raises CallRefused if it is no directory, or may not be searched."""
    directory = call.kernel.inode(number)
    if directory.sort != "directory":
        raise CallRefused(linux.ENOTDIR)
    demand(directory, SEARCH)
    return directory


def _parts(call: SystemCall, characters: list[Value]) -> tuple[list[Name], bool]:
    """The parts between slashes, last part first, and whether the path ends in a slash."""
    parts: list[list[Value]] = [[]]
    for character in characters:
        if call.step.decide(build.eq(character, SLASH, 8)):
            parts.append([])
        else:
            parts[-1].append(character)
    return [tuple(part) for part in reversed(parts) if part], not parts[-1]


def _entry(call: SystemCall, parent: int, directory: Inode, name: Name) -> tuple[Name, int] | None:
    if _is(call, name, HERE):
        return HERE, parent
    if _is(call, name, ABOVE):
        return ABOVE, directory.parent
    for entry, inode in directory.entries:
        if inode and _is(call, name, entry):
            return entry, inode
    return None


def _is(call: SystemCall, name: Name, other: Name) -> bool:
    return call.step.decide(same_name(name, other))


def same_name(name: Name, other: Name) -> Value:
    """Whether two names are equal: 1 bit."""
    if len(name) != len(other):
        return 0
    if not any(isinstance(byte, Term) for byte in (*name, *other)):
        return int(name == other)
    return build.conjunction([build.eq(a, b, 8) for a, b in zip(name, other, strict=True)])


def permits(inode: Inode, wanted: int) -> bool:
    """Whether the program's user has the permission bits ``wanted``."""
    allowed = inode.mode >> 6 if inode.owner == USER else inode.mode
    return allowed & wanted == wanted


def demand(inode: Inode, wanted: int) -> None:
    """Raise CallRefused with EACCES unless the program's user has the permission bits ``wanted``."""
    if not permits(inode, wanted):
        raise CallRefused(linux.EACCES)
