"""The arguments of main: argc, argv and envp as objects of the modelled program."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.program.types import ArrayType, IntType, PointerType
from unfork.state.memory import FIRST_HEAP, MemoryObject, address_of
from unfork.state.state import State

FIRST_ARGUMENT = FIRST_HEAP - (1 << 14)
"""Object numbers from here on, below those of the library's own objects, are arguments."""
MOST_ARGUMENTS = (1 << 14) - 1024


def place_arguments(state: State, arguments: Sequence[bytes], environment: Sequence[bytes]) -> tuple[int, int, int]:
    """Put the argument strings in memory; (argc, argv, envp) for main.

    ``arguments`` begins with the program's name. Raises ValueError when there are too many.
    """
    if len(arguments) + len(environment) + 2 > MOST_ARGUMENTS:
        raise ValueError(f"more than {MOST_ARGUMENTS} program arguments")
    number = FIRST_ARGUMENT
    tables = []
    for name, strings in (("argv", arguments), ("envp", environment)):
        pointers = []
        for position, text in enumerate(strings):
            pointers.append(_place(state, number, text + b"\0", f"{name}[{position}]"))
            number += 1
        table = b"".join([pointer.to_bytes(8, "little") for pointer in pointers]) + bytes(8)
        tables.append(_place_table(state, number, table, name))
        number += 1
    return len(arguments), tables[0], tables[1]


def _place(state: State, number: int, data: bytes, name: str) -> int:
    item = MemoryObject(bytearray(data), len(data), "argument", name, type=ArrayType(len(data), IntType(8)))
    state.memory.add(number, item)
    return address_of(number)


def _place_table(state: State, number: int, data: bytes, name: str) -> int:
    item = MemoryObject(bytearray(data), len(data), "argument", name, type=ArrayType(len(data) // 8, PointerType()))
    state.memory.add(number, item)
    return address_of(number)
