"""The world at the program's start: standard input, files, and the number of system calls that may fail."""

from __future__ import annotations

from dataclasses import dataclass, replace

from unfork.engine.step.step import Step
from unfork.program.llvm.types import ArrayType, IntType
from unfork.world.kernel import contents, linux
from unfork.world.kernel.input_file import inode_of_input
from unfork.world.kernel.kernel_tables import KERNEL, ROOT, Inode, Kernel, OpenFile, Sort
from unfork.world.library.fuzz_input import INPUT, INPUT_SIZE, LARGEST_INPUT
from unfork.world.library.surroundings import NO_INPUT


@dataclass(frozen=True, slots=True)
class GuestFile:
    """A file of ``size`` bytes: ``data``, or symbolic bytes named after the file if that is None."""

    name: bytes
    size: int
    data: bytes | None


@dataclass(frozen=True, slots=True)
class World:
    """``stdin`` None: standard input is empty, and no option set it. Up to ``failures`` system calls may fail."""

    stdin: GuestFile | None = None
    files: tuple[GuestFile, ...] = ()
    symbolic_stdout: bool = False
    failures: int = 0
    input_size: int = INPUT_SIZE
    """The most bytes of a fuzzer's input."""
    has_input_file: bool = False
    """Whether the file INPUT holds that input."""
    has_input_stdin: bool = False
    """Whether standard input does."""


DEVICES: tuple[tuple[str, Sort], ...] = (("null", "null"), ("zero", "zero"), ("full", "full"), ("urandom", "random"))


def install_world(step: Step, world: World) -> None:
    """Put a kernel into ``step.state``: directories, devices, the files of ``world``, descriptors 0, 1 and 2.

    Relative file names start in the current directory. Makes missing directories.
    """
    tree = Kernel((None, Inode("directory", 0o755, 0, links=2)), failures=world.failures)
    for name in ("dev", "home", "tmp"):
        tree, _ = _add(tree, ROOT, name.encode(), Inode("directory", 0o1777 if name == "tmp" else 0o755, 0, links=2))
    tree, home = _add(tree, _child(tree, ROOT, b"home"), b"user", Inode("directory", 0o755, links=2))
    for device, sort in DEVICES:
        tree, _ = _add(tree, _child(tree, ROOT, b"dev"), device.encode(), Inode(sort, 0o666, 0))
    tree = replace(tree, directory=home)
    step.state.remembered[LARGEST_INPUT] = world.input_size
    tree = _standard_streams(step, tree, world)
    for file in world.files:
        tree = _with_file(step, tree, file)
    if world.has_input_file:
        tree, number = inode_of_input(step, tree)
        tree = _with_entry(tree, tree.directory, INPUT.encode(), number)
    step.state.remembered[KERNEL] = tree


def _standard_streams(step: Step, tree: Kernel, world: World) -> Kernel:
    if world.has_input_stdin:
        tree, number = inode_of_input(step, tree)
    else:
        given = world.stdin if world.stdin is not None else GuestFile(b"stdin", 0, b"")
        tree, number = tree.with_new_inode(Inode("file", 0o444, size=given.size, links=0))
        _fill(step, number, given, "stdin")
        step.state.remembered[NO_INPUT] = number if world.stdin is None else 0
    tree = tree.open_file(0, OpenFile(number, linux.O_RDONLY | linux.O_LARGEFILE))
    for descriptor in (1, 2):
        if descriptor == 1 and world.symbolic_stdout:
            tree, number = tree.with_new_inode(Inode("file", 0o644, links=0, stream=1))
            contents.create(step, number, "stdout")
        else:
            tree, number = tree.with_new_inode(Inode("output", 0o600, links=1, stream=descriptor))
        tree = tree.open_file(descriptor, OpenFile(number, linux.O_WRONLY))
    return tree


def _with_file(step: Step, tree: Kernel, file: GuestFile) -> Kernel:
    *folders, name = [part for part in file.name.split(b"/") if part not in (b"", b".")]
    directory = ROOT if file.name.startswith(b"/") else tree.directory
    for folder in folders:
        child = _child(tree, directory, folder)
        if not child:
            tree, child = _add(tree, directory, folder, Inode("directory", 0o755, links=2))
        directory = child
    mode = 0o644 if file.data is None else 0o444
    tree, number = _add(tree, directory, name, Inode("file", mode, size=file.size))
    _fill(step, number, file, f"{file.name.decode('utf-8', 'replace')}-data")
    return tree


def _fill(step: Step, number: int, file: GuestFile, name: str) -> None:
    if file.data is not None:
        contents.create(step, number, name, file.data)
        return
    item = contents.create(step, number, name, bytes(file.size))
    if not file.size:
        return
    symbolic = step.source.make(step.state, name, ArrayType(file.size, IntType(8)), file.size, "file")
    offset = 0
    for leaf, size in symbolic.leaves:
        item.write(offset, size, leaf)
        offset += size


def _child(tree: Kernel, directory: int, name: bytes) -> int:
    return dict(tree.inode(directory).entries).get(tuple(name), 0)


def _add(tree: Kernel, directory: int, name: bytes, inode: Inode) -> tuple[Kernel, int]:
    if inode.sort == "directory":
        inode = replace(inode, parent=directory)
    tree, number = tree.with_new_inode(inode)
    return _with_entry(tree, directory, name, number), number


def _with_entry(tree: Kernel, directory: int, name: bytes, number: int) -> Kernel:
    parent = tree.inode(directory)
    links = parent.links + (tree.inode(number).sort == "directory")
    parent = replace(parent, entries=(*parent.entries, (tuple(name), number)), links=links)
    return tree.with_inode(directory, parent)
