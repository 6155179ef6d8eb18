"""The kernel's tables and files as values: what forks, what is refused, what is not modelled."""

from __future__ import annotations

import os
import pickle
import re
from collections.abc import Callable
from pathlib import Path

from tests.world.conftest import Guest
from unfork.engine.protocols.outcome import Killed
from unfork.logic.terms.term import Term
from unfork.logic.terms.term_table import symbol
from unfork.world.kernel import linux
from unfork.world.kernel.kernel import HANDLERS
from unfork.world.kernel.kernel_tables import kernel_of
from unfork.world.kernel.processor import read_constraints
from unfork.world.kernel.world import GuestFile, World

RDWR_CREAT = os.O_RDWR | os.O_CREAT


def test_handlers_are_system_calls() -> None:
    assert set(HANDLERS) <= set(linux.SYSTEM_CALLS.values())


def test_numbers_of_system_calls() -> None:
    known = {"read": 0, "mmap": 9, "exit": 60, "getdents64": 217, "exit_group": 231, "statx": 332, "close_range": 436}
    assert {name: number for number, name in linux.SYSTEM_CALLS.items() if name in known} == known


def test_operands_of_inline_assembly() -> None:
    """What is tied to an output is counted among all of them, also those that are written through a pointer."""
    operands = read_constraints("=*m,={ax},=&r,1,{di},~{memory}")
    assert operands.outputs == ("{ax}", "r")
    assert operands.sources == (1, None)
    assert operands.inputs == ("*m", "{ax}", "{di}")


def test_two_paths_write_one_file_apart(guest: Guest) -> None:
    descriptor = guest.call("open", guest.text("f"), RDWR_CREAT, 0o644)
    guest.call("write", descriptor, guest.buffer(b"----"), 4)
    target = guest.buffer(bytes(4))
    other = guest.state.fork()
    guest.call("pwrite64", descriptor, guest.buffer(b"one"), 3, 0)
    assert guest.call("pread64", descriptor, target, 4, 0, state=other) == 4
    assert guest.call("pread64", descriptor, target, 4, 0) == 4
    assert bytes(guest.bytes_at(target, 4)) == b"one-"
    assert bytes(guest.bytes_at(target, 4, other)) == b"----"


def test_two_paths_close_apart(guest: Guest) -> None:
    other = guest.state.fork()
    assert guest.call("close", 0) == 0
    assert guest.call("close", 0) == -linux.EBADF
    assert guest.call("close", 0, state=other) == 0


def test_equal_calls_make_equal_tables(guest: Guest) -> None:
    """Numbers of inodes, files and descriptors come from the path alone, so that paths can be compared."""
    name, other = guest.text("f"), guest.state.fork()
    for state in (guest.state, other):
        guest.call("open", name, RDWR_CREAT, 0o644, state=state)
        guest.call("mkdir", name + 1, 0o755, state=state)
    assert kernel_of(guest.state) == kernel_of(other)
    assert guest.state.memory.objects.keys() == other.memory.objects.keys()


def test_tables_pickle(guest: Guest) -> None:
    guest.call("open", guest.text("f"), RDWR_CREAT, 0o644)
    assert pickle.loads(pickle.dumps(kernel_of(guest.state))) == kernel_of(guest.state)


def test_refused_calls_change_nothing(guest: Guest) -> None:
    before = kernel_of(guest.state)
    assert guest.call("open", guest.text("none"), os.O_RDONLY) == -linux.ENOENT
    assert guest.call("dup2", 0, 5000) == -linux.EBADF
    assert guest.call("mkdir", guest.text("x/y"), 0o755) == -linux.ENOENT
    assert kernel_of(guest.state) == before


def test_nothing_reaches_the_host(guest: Guest, tmp_path: Path) -> None:
    assert Path("/etc/passwd").exists()
    assert guest.call("open", guest.text("/etc/passwd"), os.O_RDONLY) == -linux.ENOENT
    name = f"/tmp/{tmp_path.parent.parent.name}-{os.getpid()}"
    descriptor = guest.call("open", guest.text(name), RDWR_CREAT, 0o644)
    assert guest.call("write", descriptor, guest.buffer(b"x"), 1) == 1
    assert not Path(name).exists()
    victim = tmp_path / "victim"
    victim.write_text("kept")
    assert guest.call("unlink", guest.text(str(victim))) == -linux.ENOENT
    assert guest.call("kill", os.getppid() + 100_000, 9) == -linux.ESRCH
    assert victim.read_text() == "kept"


def test_call_without_a_model_is_given_up_once(guest: Guest) -> None:
    for _ in range(2):
        assert guest.call("fork") == -linux.ENOSYS
    (killed,) = guest.outcomes
    assert isinstance(killed, Killed)
    assert killed.reason == "unmodelled" and "fork" in killed.detail


def test_symbolic_files(guest_in: Callable[[World], Guest]) -> None:
    """Each has an input of its bytes, named after it; standard input too."""
    guest = guest_in(World(stdin=GuestFile(b"stdin", 2, None), files=(GuestFile(b"A", 3, None),)))
    names = [(made.name, made.kind, made.size) for made in guest.state.inputs]
    assert [(name, size) for name, _, size in names] == [("stdin", 2), ("A-data", 3)]
    target = guest.buffer(bytes(8))
    assert guest.call("read", 0, target, 8) == 2
    assert all(isinstance(byte, Term) for byte in guest.bytes_at(target, 2))
    descriptor = guest.call("open", guest.text("A"), os.O_RDWR)
    assert guest.call("read", descriptor, target, 8) == 3
    assert guest.call("lseek", descriptor, 0, os.SEEK_END) == 3


def test_seed_files_are_read_only(guest_in: Callable[[World], Guest]) -> None:
    guest = guest_in(World(files=(GuestFile(b"/data/in.txt", 2, b"hi"),)))
    name, target = guest.text("/data/in.txt"), guest.buffer(bytes(2))
    assert guest.call("open", name, os.O_RDWR) == -linux.EACCES
    descriptor = guest.call("open", name, os.O_RDONLY)
    assert guest.call("read", descriptor, target, 2) == 2
    assert bytes(guest.bytes_at(target, 2)) == b"hi"


def test_output_is_kept(guest: Guest) -> None:
    guest.call("write", 1, guest.buffer(b"out"), 3)
    guest.call("dup2", 1, 7)
    guest.call("write", 7, guest.buffer(b"+"), 1)
    guest.call("write", 2, guest.buffer(b"err"), 3)
    assert guest.state.printed(1) == b"out+"
    assert guest.state.printed(2) == b"err"


def test_failures_are_inputs(guest_in: Callable[[World], Guest]) -> None:
    """A call that may fail makes one input; the path that used up the failures makes no more."""
    guest = guest_in(World(failures=1))
    source = guest.buffer(b"abcd")
    found = guest.explore("write", 1, source, 4)
    kinds = {tuple(made.kind for made in state.inputs) for state, _ in found}
    assert kinds == {("failure",)}
    results = [value - (value >> 63 << 64) for _, value in found if isinstance(value, int)]
    assert sorted(results) == [-linux.ENOSPC, -linux.EIO, 4]
    assert any(isinstance(value, Term) for _, value in found)
    for state, value in found:
        left = kernel_of(state).failures
        assert left == (1 if value == 4 else 0)
        assert kernel_of(state).pending is None


def test_symbolic_count_does_not_fork(guest: Guest) -> None:
    descriptor = guest.call("open", guest.text("f"), RDWR_CREAT, 0o644)
    count = symbol("count", 64)
    guest.step.begin(guest.state, None)
    from_one = guest.buffer(b"abcdefgh")
    paths = guest.explore("write", descriptor, from_one, count)
    sizes = [kernel_of(state).inode(kernel_of(state).file(3).inode).size for state, _ in paths]
    assert len(paths) <= 3  # nothing, something, a negative number
    assert any(isinstance(size, Term) for size in sizes)


def test_manual_lists_the_calls() -> None:
    manual = (Path(__file__).parents[3] / "docs" / "kernel.md").read_text()
    listed = re.findall(r"`(\w+)`", manual.partition("## The calls")[2])
    assert listed == sorted(HANDLERS)
