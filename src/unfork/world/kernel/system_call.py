"""A system call in progress: its arguments, the structs they point to, the kernel's tables, its failure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from unfork.engine.memory.loads import load, pointer_size, store
from unfork.engine.memory.ranges import fill
from unfork.engine.memory.visible_models import touch
from unfork.engine.state.state import OutputPrefix
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.world.kernel import linux
from unfork.world.kernel.input_file import settled
from unfork.world.kernel.kernel_tables import KERNEL, Inode, Kernel, OpenFile, kernel_of

FLAGS = 64


class CallRefused(Exception):
    """The call changes nothing and returns ``-number``, an errno."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class SystemCall:
    """A call; assign new tables to ``kernel`` to change it. They take effect when the call returns.

    Law: everything that may split, fault, refuse or read an entry for the first time comes before changes to
    contents and memory, because the call runs again once an entry that a join left open is decided.
    """

    __slots__ = ("arguments", "failed", "kernel", "name", "shown", "step")

    def __init__(self, step: Step, name: str, kernel: Kernel, arguments: tuple[Value, ...]) -> None:
        self.step = step
        self.name = name
        self.kernel = kernel
        self.arguments = arguments
        self.failed = False
        """Whether this call uses up one of the allowed failures."""
        self.shown: list[tuple[int, Sequence[Value] | OutputPrefix | None]] = []
        """The call's output when it returns: a stream, and its bytes (8 bits each) or None if unknown."""

    # --- arguments

    def int32(self, position: int) -> Value:
        return build.trunc(self.arguments[position], 64, 32)

    def number(self, position: int, meaning: str) -> int:
        """An argument of type int (32 bits) as a signed number; splits over its values."""
        value = self.step.concretize(self.int32(position), 32, FLAGS, f"{meaning} of {self.name}")
        return value - (value >> 31 << 32)

    def long_number(self, position: int, meaning: str) -> int:
        """An argument of 64 bits as an unsigned number; splits over its values."""
        return self.step.concretize(self.arguments[position], 64, FLAGS, f"{meaning} of {self.name}")

    def is_given(self, position: int) -> bool:
        """Whether a pointer argument is not null; splits if it may or may not be."""
        return self.step.decide(build.ne(self.arguments[position], 0, 64))

    def descriptor(self, position: int) -> int:
        """An open descriptor; splits over the possible ones. Raises CallRefused with EBADF for others."""
        value = self.int32(position)
        number = value if isinstance(value, int) else self._match_descriptor(value)
        if self.kernel.descriptor(number) is None:
            raise CallRefused(linux.EBADF)
        return number

    def _match_descriptor(self, value: Term) -> int:
        for number in range(len(self.kernel.descriptors)):
            if self.kernel.may_be_open(number) and self.step.decide(build.eq(value, number, 32)):
                return number
        raise CallRefused(linux.EBADF)

    def file_number(self, position: int) -> int:
        entry = self.kernel.descriptor(self.descriptor(position))
        assert entry is not None
        return entry.file

    def open_file(self, position: int) -> tuple[int, OpenFile, Inode]:
        """The open file at a descriptor argument: its number, itself, and its inode."""
        number = self.file_number(position)
        file = self.kernel.file(number)
        self.kernel = settled(self.step, self.kernel, file.inode)
        return number, file, self.kernel.inode(file.inode)

    def holds_of_file(self, position: int, question: Callable[[OpenFile, Inode], bool]) -> bool:
        """Whether ``question`` holds of the open file at a descriptor argument.

        If all its possible values answer alike, an entry that a join left open stays open.
        """
        number = self.file_number(position)
        answers = {question(file, inode) for file, inode in self.kernel.may_be_after(number)}
        if len(answers) == 1:
            return answers.pop()
        file = self.kernel.file(number)
        return question(file, self.kernel.inode(file.inode))

    # --- effects

    def show(self, stream: int, data: Sequence[Value] | OutputPrefix | None) -> None:
        """Print ``data`` (values of 8 bits; None: unknown) to an output of the program."""
        self.shown.append((stream, data))

    def change(self, number: int, inode: Inode) -> None:
        self.kernel = self.kernel.with_inode(number, inode)

    def move(self, number: int, offset: Value) -> None:
        """Move the open file ``number`` to ``offset`` (64 bits)."""
        self.kernel = self.kernel.with_file(number, replace(self.kernel.file(number), offset=offset))

    def refuse_if(self, condition: Value, number: int) -> None:
        """Raise CallRefused where ``condition`` (1 bit) holds; splits if it may or may not."""
        if self.step.decide(condition):
            raise CallRefused(number)

    # --- failures that --fail allows

    def may_fail(self, *numbers: int) -> None:
        """Raise CallRefused with one of the error ``numbers`` if this call is to fail."""
        way, _ = choose_failure(self.step, self.name, len(numbers), len(numbers))
        if way:
            self.failed = True
            raise CallRefused(numbers[way - 1])

    def possible_length(self, length: Value, *numbers: int) -> Value:
        """The length to use (64 bits): ``length`` or, for a short call, one byte to nearly 255 of it.

        Raises CallRefused as ``may_fail`` does.
        """
        ways = len(numbers)
        way, chosen = choose_failure(self.step, self.name, ways, 255)
        if way == 0:
            return length
        self.failed = True
        if way <= ways:
            raise CallRefused(numbers[way - 1])
        return least(build.sub(build.zext(chosen, 8, 64), ways, 64), length)


FAILURE = "failure"
"""The kind of inputs that say how calls fail; one input each, so that a replay can follow."""


def choose_failure(step: Step, name: str, ways: int, most: int) -> tuple[int, Value]:
    """The call's failure: way 1 to ``ways``, 0 if it works, ``ways + 1`` for larger inputs up to ``most``.

    Also returns the input itself (8 bits). Splits over the ways, so it must come first in a call.
    """
    kernel = kernel_of(step.state)
    if not kernel.failures:
        return 0, 0
    pending = kernel.pending
    if pending is None:
        pending = step.fresh(f"{name}-failure", 8, FAILURE)
        step.state.remembered[KERNEL] = replace(kernel, pending=pending)
        step.assume(build.ule(pending, most, 8))
    for way in range(ways + 1):
        if step.decide(build.eq(pending, way, 8)):
            return way, pending
    return ways + 1, pending


Handler = Callable[[SystemCall], Value]
"""A model of a system call: returns 64 bits. It raises CallRefused instead of returning an error."""


def with_arguments(handler: Handler, arguments: Callable[..., tuple[Value, ...]]) -> Handler:
    """A call that runs ``handler`` with ``arguments`` made from its own six."""

    def run(call: SystemCall) -> Value:
        call.arguments = arguments(*call.arguments)
        return handler(call)

    return run


def always(value: int) -> Handler:
    """A call that returns ``value`` and does nothing."""
    return lambda call: value


def refuses(number: int) -> Handler:
    """A call that always fails, with errno ``number``."""

    def refuse(call: SystemCall) -> Value:
        raise CallRefused(number)

    return refuse


def least(a: Value, b: Value) -> Value:
    """The smaller of two unsigned numbers of 64 bits."""
    return build.ite(build.ult(a, b, 64), a, b, 64)


def greatest(a: Value, b: Value) -> Value:
    """The larger of two unsigned numbers of 64 bits."""
    return build.ite(build.ult(a, b, 64), b, a, 64)


# --- C structs that system calls read or fill in: fields as (offset, bytes, value)

SECOND = 10**9

Field = tuple[int, int, Value]


def write_record(step: Step, pointer: Value, size: int, fields: Iterable[Field]) -> None:
    """Write a struct of ``size`` bytes: ``fields``, and 0 everywhere else."""
    touch(step, pointer, size, writes=True)
    fill(step, pointer, 0, size)
    for offset, width, value in fields:
        store(step, build.add(pointer, offset, 64), build.trunc(value, 64, 8 * width), width)


def moment(offset: int, time: Value) -> list[Field]:
    """The fields of a struct timespec at ``offset``, for a time in nanoseconds (64 bits)."""
    return [(offset, 8, build.udiv(time, SECOND, 64)), (offset + 8, 8, build.urem(time, SECOND, 64))]


def read_moment(step: Step, pointer: Value) -> tuple[Value, Value]:
    """The seconds and nanoseconds of a struct timespec (64 bits each); the latter are a long."""
    width = pointer_size(step)
    rest = build.sext(load(step, build.add(pointer, 8, 64), width), 8 * width, 64)
    return load(step, pointer, 8), rest
