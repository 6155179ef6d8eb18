"""Links programs in a process that was started before pytest collected tests.

A run links its program in one more process (unfork/program/llvm/apart.py), since files may crash LLVM. To start that
takes three times as long as to link most programs, and longer in a process that holds nine thousand tests. What the
compiler has just written is linked here without it, in a context of its own, so that no name of a type is taken.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import BinaryIO

from llvmlite.binding import create_context, module

from unfork.commands.assemble.starting import libraries
from unfork.options.options import Options
from unfork.program.llvm import apart, linking
from unfork.program.llvm.apart import Keeper, Parts
from unfork.program.llvm.linking import NO_LIBRARIES, Libraries, Linked, LinkInput
from unfork.world.libc import libc
from unfork.world.libc.build_store import Report
from unfork.world.libc.libc import Libc

PLACES = ("UNFORK_CACHE", "XDG_CACHE_HOME", "HOME")
"""Variables that say where the cache is. Where a test changes one, its programs are linked as anywhere else."""

LONG = 20.0
"""Seconds: with less time, a program is linked in a process that can be ended."""


def processor_seconds() -> float:
    """CPU seconds of this process and of those that it has waited for."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


started: list[Linker] = []
"""The one of this process, if it runs tests."""


class Linker:
    """``linked`` is llvm.linking.link_inputs; ``spent`` are the CPU seconds of the other process until it ends."""

    def __init__(self) -> None:
        self.spent = 0.0
        self._owner = os.getpid()
        self._places = [os.environ.get(name) for name in PLACES]
        self._turns = threading.Lock()
        requests, answers = os.pipe(), os.pipe()
        self._child = os.fork()
        if self._child == 0:
            os.close(requests[1])
            os.close(answers[0])
            _serve(os.fdopen(requests[0], "rb"), os.fdopen(answers[1], "wb"))
        os.close(requests[0])
        os.close(answers[1])
        self._requests, self._answers = os.fdopen(requests[1], "wb"), os.fdopen(answers[0], "rb")

    def linked(self, inputs: Sequence[LinkInput], wanted: Libraries, seconds: float, optimize: int) -> Linked:
        """The module that ``inputs`` make up; raises what linking raises."""
        if not self._can_link(wanted):
            return linking.link_inputs(inputs, wanted, seconds, optimize)
        with self._turns:
            try:
                pickle.dump((list(inputs), wanted is NO_LIBRARIES, seconds, optimize), self._requests)
                self._requests.flush()
                answer, self.spent = pickle.load(self._answers)
            except BaseException:  # Ctrl-C, or time is over: the answer would be taken for that to the next question
                self.close()
                raise
        if isinstance(answer, Linked):
            return answer
        raise answer

    def _can_link(self, wanted: Libraries) -> bool:
        if self._child == 0 or os.getpid() != self._owner:
            return False
        if self._places != [os.environ.get(name) for name in PLACES]:
            return False
        return wanted is NO_LIBRARIES or (type(wanted) is Libc and libc.is_built(libc.C_LIBRARY))

    def close(self) -> None:
        """End the other process."""
        if self._child:
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)
            self._child, self.spent = 0, 0.0


def _unseen(name: str) -> AbstractContextManager[Report]:
    return contextlib.nullcontext(lambda done, total: None)


def _here(work: Callable[[], Parts], keeper: Keeper, _: float) -> Parts:
    """Do the work in this process. Modules live in a context that goes with them."""
    context = create_context()
    module.get_global_context = lambda: context
    parts = work()
    if keeper.is_worth_it(parts):
        keeper.keep(parts)
    return parts


def _serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer until there are no more requests; it never returns."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    complete, elsewhere = libraries(Options(), _unseen), apart.run
    try:
        if libc.is_built(libc.C_LIBRARY):  # each program is linked in a process that inherits the index
            place = libc.build(_unseen, libc.C_LIBRARY)
            read, whole = libc.Built, libc.Built([place])
            libc.Built = lambda folders: whole if folders == [place] else read(folders)  # type: ignore[assignment,misc]
        while True:
            inputs, is_alone, seconds, optimize = pickle.load(requests)
            apart.run = _here if seconds > LONG and all(file.is_ours for file in inputs) else elsewhere
            wanted = NO_LIBRARIES if is_alone else complete
            try:
                answer: object = linking.link_inputs(inputs, wanted, seconds, optimize)
            except Exception as problem:  # noqa: BLE001  # the other side raises it
                answer = problem
            pickle.dump((answer, processor_seconds()), answers)
            answers.flush()
    except EOFError:
        pass
    finally:
        os._exit(0)
