"""Child processes: messages arrive whole, limits hold, and no child outlives its parent or its object."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from unfork import host
from unfork.processes import ChildProcess, MessageChannel, NoMessage, fork, spawn


def echo(channel: MessageChannel) -> None:
    while True:
        channel.send(channel.recv())


def repeat(channel: MessageChannel, word: str, times: int) -> None:
    channel.send(word * times)


def eventually(is_so: Callable[[], bool]) -> bool:
    return any(is_so() or time.sleep(0.02) for _ in range(500))


def state_of(child: ChildProcess) -> str:
    return host.status_words(child._pid)[0]


@pytest.mark.parametrize("message", [None, ("a", 1), b"x" * (3 << 20)], ids=["none", "small", "large"])
def test_messages_go_there_and_back(message: object) -> None:
    child = fork(echo)
    child.channel.send(message)
    assert child.channel.recv() == message
    assert not child.channel.poll()
    child.end()


def test_a_new_interpreter_is_told_its_arguments() -> None:
    child = spawn(f"{__name__}:repeat", ("word", 3))
    assert child.channel.recv() == "wordwordword"
    with pytest.raises(EOFError):
        child.channel.recv()
    child.end()


def test_a_message_is_awaited_until_a_moment() -> None:
    def half(channel: MessageChannel) -> None:
        os.write(channel.writer, (1000).to_bytes(8, "little") + b"x" * 10)
        signal.pause()

    for serve in (half, lambda channel: signal.pause()):
        child = fork(serve)
        with pytest.raises(NoMessage):
            child.channel.recv(time.monotonic() + 0.1)
        child.end()


def test_a_child_that_fails_closes_its_channel() -> None:
    def fail(channel: MessageChannel) -> None:
        raise ValueError

    child = fork(fail)
    with pytest.raises(EOFError):
        child.channel.recv()
    with pytest.raises(OSError):
        child.channel.send("a message for nothing")
    child.end()


def test_a_closed_channel_takes_and_gives_nothing() -> None:
    child = fork(echo)
    child.end()
    child.end()
    assert child.channel.fileno() == -1
    for use in (child.channel.poll, child.channel.recv, lambda: child.channel.send(1), child.used):
        with pytest.raises(OSError):
            use()
    assert (child.grown(), child.is_stopped()) == (0, False)
    child.signal(signal.SIGUSR1)


def test_a_stopped_child_is_seen_again_and_again() -> None:
    child = fork(echo)
    assert not child.is_stopped()
    child.signal(signal.SIGSTOP)
    assert eventually(child.is_stopped)
    assert child.is_stopped()
    child.signal(signal.SIGKILL)
    assert eventually(lambda: not child.is_stopped() and state_of(child) == "Z")
    child.end()


def test_what_a_child_uses_is_seen() -> None:
    def use(channel: MessageChannel) -> None:
        held = b"x" * (256 << 20)
        began = time.process_time()
        while time.process_time() < began + 0.2:
            pass
        channel.send(len(held))
        signal.pause()

    child = fork(use)
    child.channel.recv()
    assert child.used() >= 0.15
    assert child.grown() >= 60 << 20
    child.end()


def test_a_forgotten_child_is_killed_but_not_by_a_fork() -> None:
    child = fork(echo)

    def forget(channel: MessageChannel) -> None:
        nonlocal child
        del child
        gc.collect()
        channel.send("forgotten")

    other = fork(forget)
    assert other.channel.recv() == "forgotten"
    other.end()
    child.channel.send("alive")
    assert child.channel.recv() == "alive"
    process = child._pid
    del child
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_child_is_waited_for() -> None:
    child = fork(lambda channel: channel.send("done"))
    assert child.channel.recv() == "done"
    child.wait()
    with pytest.raises(ChildProcessError):
        os.waitpid(child._pid, os.WNOHANG)
    child.end()


ORPHAN = """
import os, signal
from unfork import processes
child = processes.fork(lambda channel: signal.pause())
print(child._pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_child_ends_with_its_parent() -> None:
    done = subprocess.run([sys.executable, "-c", ORPHAN], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL
    assert eventually(lambda: not os.path.exists(f"/proc/{done.stdout.strip()}"))


LIMITED = """
from unfork import host
host.this().limit_memory(1 << 30)
try:
    bytearray(2 << 30)
except MemoryError:
    print("refused")
"""


def test_memory_is_limited() -> None:
    done = subprocess.run([sys.executable, "-c", LIMITED], capture_output=True, text=True, check=True)
    assert done.stdout == "refused\n"


IGNORING = """
import signal
from unfork import processes
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
child = processes.fork(lambda channel: channel.send("done"))
print(child.channel.recv(), child.is_stopped())
child.wait()
child = processes.fork(lambda channel: signal.pause())
child.end()
"""


def test_a_caller_may_ignore_the_ends_of_its_children() -> None:
    done = subprocess.run([sys.executable, "-c", IGNORING], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "done False\n", "")
