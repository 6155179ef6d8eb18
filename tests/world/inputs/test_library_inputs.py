from __future__ import annotations

from typing import Any

from unfork.engine.state.memory import Memory
from unfork.engine.state.state import State
from unfork.logic.terms.term import Term
from unfork.program.llvm.types import ArrayType, FloatType, IntType, PointerType, StructType, Type
from unfork.world.inputs.arguments import place_arguments
from unfork.world.inputs.input_values import ReplayInputs, SymbolicInputs, leaves_of


def suffixes(element: Type | None, size: int) -> list[tuple[str, int]]:
    return [(leaf.suffix, leaf.size) for leaf in leaves_of(element, size)]


def test_shapes() -> None:
    assert suffixes(IntType(32), 4) == [("", 4)]
    assert suffixes(IntType(1), 1) == [("", 1)]
    assert suffixes(None, 8) == [("", 8)]
    assert suffixes(None, 3) == [("[0]", 1), ("[1]", 1), ("[2]", 1)]
    assert suffixes(IntType(32), 12) == [("[0]", 4), ("[1]", 4), ("[2]", 4)]
    assert suffixes(ArrayType(2, ArrayType(2, IntType(16))), 8) == [(f"[{i}][{k}]", 2) for i in (0, 1) for k in (0, 1)]
    assert suffixes(FloatType("x86_fp80"), 16) == [("", 10), (".pad10", 6)]
    inner = StructType((IntType(8), PointerType()))
    assert suffixes(ArrayType(2, inner), 32)[3:] == [("[1].0", 1), (".pad17", 7), ("[1].1", 8)]


def test_leaves_cover_the_whole_input() -> None:
    for size in range(40):
        for element in (None, IntType(8), IntType(24), IntType(32), StructType((IntType(8), IntType(64), IntType(16)))):
            assert sum(leaf.size for leaf in leaves_of(element, size)) == size


def test_a_replay_gets_the_bytes_of_the_names() -> None:
    state = State.begin(Memory())
    source = ReplayInputs({"x": b"\x0a\0\0\0", "x#2": b"\xff"})
    assert source.make(state, "x", IntType(32), 4, "symbolic").leaves == ((10, 4),)
    assert source.make(state, "x", None, 1, "symbolic").leaves == ((255, 1),)
    assert source.make(state, "y", None, 2, "symbolic").leaves == ((0, 2),)
    assert source.missing == 1


def test_a_replay_finds_unwritten_bytes_in_any_portion() -> None:
    state = State.begin(Memory())
    source = ReplayInputs({"uninit:p[4]": b"\1\2\3\4", "uninit:p[8]": b"\5"})
    assert source.make(state, "p[6]", IntType(24), 3, "uninit").leaves == ((0x050403, 3),)


def test_equal_paths_have_equal_symbols() -> None:
    source = SymbolicInputs()
    first, second = State.begin(Memory()), State.begin(Memory())
    made = [source.make(state, "x", IntType(32), 4, "symbolic").leaves[0][0] for state in (first, second)]
    assert isinstance(made[0], Term)
    assert made[0] is made[1]


def test_a_name_that_looks_like_a_second_one_is_kept_apart() -> None:
    state = State.begin(Memory())
    source = SymbolicInputs()
    names = [source.make(state, name, None, 1, "symbolic").name for name in ("x", "x#2", "x", "x")]
    assert len(set(names)) == 4


def test_arguments_lie_in_memory_as_c_expects(bench: Any) -> None:
    count, words, environment = place_arguments(bench.step, b"prog", ["-x"], [])
    assert count == 2
    table = bench.bytes_at(words, 24)
    first, second, end = (int.from_bytes(table[i : i + 8], "little") for i in (0, 8, 16))
    assert bench.bytes_at(first, 5) == b"prog\0"
    assert bench.bytes_at(second, 3) == b"-x\0"
    assert end == 0
    assert bench.bytes_at(environment, 8) == bytes(8)
