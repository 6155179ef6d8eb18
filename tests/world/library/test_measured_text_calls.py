"""Library functions on texts whose length is one value: results and bytes are those of the C library on every text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.modelled import Bench
from tests.support.power import examples
from unfork.engine.memory.lazy_objects import character_at
from unfork.engine.memory.lazy_targets import add_untouched
from unfork.engine.memory.loads import load
from unfork.engine.memory.ranges import copy
from unfork.engine.memory.strings import measured_length, text_length
from unfork.engine.protocols.outcome import Halted
from unfork.engine.state.lazy import LazyHeap, LazyObject
from unfork.engine.state.memory import FIRST_LAZY, address_of
from unfork.engine.state.state import State
from unfork.engine.state.text_contents import TextContents
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol
from unfork.program.llvm.c_types import Scalar, TypeCell, TypeCells

CHAR = Scalar("char", 1, "signed char")
TEXTS = [
    LazyObject(FIRST_LAZY + i, name, CHAR, TypeCells(1, (TypeCell(0, CHAR, ""),), ((0, CHAR),)), 0, is_text=True)
    for i, name in enumerate("st")
]
S, T = (address_of(each.number) for each in TEXTS)
LIMIT = symbol("n", 8)
MOST, ROOM = 4, 16
NEEDLES = "a", "ab", "aa"


@dataclass(frozen=True)
class Known:
    """Two texts without their NULs, and a limit."""

    s: bytes
    t: bytes
    limit: int


Expected = Callable[[Known], tuple[int | None, bytes]]
"""The result of a call, None if it is a place elsewhere, and the first bytes of the block, which held ``s``."""


def _place(start: int) -> int | None:
    return None if start < 0 else start


def _difference(mine: bytes, its: bytes) -> int:
    pairs = zip(mine, its, strict=False)
    return next((a - b for a, b in pairs if a != b), 0) & 0xFFFFFFFF


def _untouched(known: Known) -> bytes:
    return known.s + b"\0"


def _catenated(known: Known) -> bytes:
    return known.s + known.t[: known.limit] + b"\0"


CALLS: dict[str, tuple[tuple[str, ...], Expected]] = {
    **{f"strstr {n}": (("s", n), lambda k, n=n: (_place(k.s.find(n.encode())), _untouched(k))) for n in NEEDLES},
    "strcasecmp": (("s", "t"), lambda k: (_difference(k.s.lower() + b"\0", k.t.lower() + b"\0"), _untouched(k))),
    "strncasecmp": (
        ("s", "t", "n"),
        lambda k: (_difference((k.s.lower() + b"\0")[: k.limit], (k.t.lower() + b"\0")[: k.limit]), _untouched(k)),
    ),
    "strncmp": (
        ("s", "t", "n"),
        lambda k: (_difference((k.s + b"\0")[: k.limit], (k.t + b"\0")[: k.limit]), _untouched(k)),
    ),
    "memchr": (("s", "97", "below"), lambda k: (_place(k.s[: k.limit].find(b"a")), _untouched(k))),
    "strnlen": (("s", "n"), lambda k: (min(len(k.s), k.limit), _untouched(k))),
    "strncat": (("block", "t", "n"), lambda k: (0, _catenated(k))),
    "strlcpy": (
        ("block", "t", "n"),
        lambda k: (len(k.t), (k.t[: k.limit - 1] + b"\0") if k.limit else _untouched(k)),
    ),
    "strlcat": (
        ("block", "t", "n"),
        lambda k: (
            min(len(k.s), k.limit) + len(k.t),
            (k.s + k.t)[: max(len(k.s), k.limit - 1)] + b"\0",
        ),
    ),
    "strncpy": (
        ("block", "t", "n"),
        lambda k: (0, k.t.ljust(k.limit, b"\0")[: k.limit] + _untouched(k)[k.limit :]),
    ),
}
"""By function: its arguments, and what it comes to."""


def begun(solver: Any) -> tuple[Bench, int]:
    """Two texts, and a block with a copy of the first."""
    bench = Bench(solver)
    bench.limits.max_size, bench.limits.measures_texts = MOST + 2, True
    bench.state.lazy = LazyHeap("f").with_object(TEXTS[0]).with_object(TEXTS[1])
    for each in TEXTS:
        add_untouched(bench.state.memory, each, 0, 0)
    block = bench.place(ROOM, kind="heap")
    bench.assume(build.ule(LIMIT, MOST + 2, 8))

    def begin(step: Step) -> None:
        lengths = [measured_length(step, each) for each in (S, T)]
        assert lengths[0] is not None
        copy(step, block, S, build.add(lengths[0], 1, 64))

    bench.one(begin)
    return bench, block


def action(bench: Bench, name: str, block: int) -> Callable[[Step], Value]:
    limit = build.zext(LIMIT, 8, 64)
    function, _, needle = name.partition(" ")
    given_values: dict[str, Any] = {"s": S, "t": T, "n": limit, "below": limit, "block": block}
    arguments = [bench.text(each) if each == needle else given_values.get(each, each) for each in CALLS[name][0]]
    return bench.action(function, *[int(each) if isinstance(each, str) else each for each in arguments])


def agrees(model: Model, known: Known, name: str, value: Value, block: list[Value]) -> None:
    result, expected = CALLS[name][1](known)
    told = evaluate(value, model)
    if name.startswith(("strstr", "memchr")):
        assert told == (0 if result is None else S + result), (name, known)
    elif CALLS[name][0][0] != "block" or name.startswith("strl"):
        assert told == result, (name, known)
    if not block:
        return
    *bytes_then, length = [evaluate(each, model) for each in block]
    assert bytes(bytes_then[: len(expected)]) == expected, (name, known)
    assert name == "strncpy" or length == expected.index(0), (name, known)


def read(step: Step, block: int, *, has_end: bool) -> list[Value]:
    """The bytes of the block, and the length of the text there, if it has an end."""
    length = text_length(step, block) if has_end else 0
    return [*(load(step, block + i, 1) for i in range(ROOM)), length]


def called(bench: Bench, name: str, block: int, *, is_read: bool = True) -> list[tuple[State, Value, list[Value]]]:
    """Each path through a call: its state, the result, the bytes of the block and its length. Others end silently."""
    after: list[tuple[State, Value, list[Value]]] = []
    then = partial(read, block=block, has_end=name != "strncpy")
    for state, value in bench.explore(action(bench, name, block)):
        bench.state = state
        if not is_read:
            after.append((state, value, []))
            continue
        after += [(end, value, values) for end, values in bench.explore(then)]
    assert all(isinstance(each, Halted) for each in bench.outcomes), bench.outcomes
    return after


@pytest.mark.parametrize("is_read", [False, True])
@pytest.mark.parametrize("name", CALLS)
def test_the_texts_of_each_path_come_to_what_it_did(solver: Any, name: str, is_read: bool) -> None:
    bench, block = begun(solver)
    lengths = [bench.one(partial(measured_length, pointer=each)) for each in (S, T)]
    if "below" in CALLS[name][0]:
        bench.assume(build.ule(build.zext(LIMIT, 8, 64), lengths[0], 64))
    if not is_read:  # then tests choose most characters
        bench.assume(build.conjunction([build.eq(each, MOST, 64) for each in lengths]))
    paths = called(bench, name, block, is_read=is_read)
    assert paths
    for state, value, values in paths:
        model = state.path.model()
        contents = TextContents(state.lazy, model)
        s, t = (bytes(contents.of(each))[:-1] for each in state.lazy.objects)
        agrees(model, Known(s, t, evaluate(LIMIT, model)), name, value, values)


WORDS = st.text("abAB", max_size=MOST).map(str.encode)


@given(st.sampled_from(sorted(CALLS)), WORDS, WORDS, st.integers(0, MOST + 1))
@settings(deadline=None, max_examples=examples(150), suppress_health_check=list(HealthCheck))
def test_every_text_has_a_path(solver: Any, name: str, s: bytes, t: bytes, limit: int) -> None:
    bench, block = begun(solver)
    limit = min(limit, len(s)) if "below" in CALLS[name][0] else limit
    bench.assume(build.eq(LIMIT, limit, 8))
    for address, each, word in ((S, TEXTS[0], s), (T, TEXTS[1], t)):
        length = bench.one(lambda step, address=address: measured_length(step, address))
        bench.assume(build.eq(length, len(word), 64))
        for i, byte in enumerate(word):
            character = bench.one(lambda step, number=each.number, i=i: character_at(step, number, i))
            bench.assume(build.eq(character, byte, 8))
    paths = called(bench, name, block)
    assert paths
    for state, value, values in paths:
        agrees(state.path.model(), Known(s, t, limit), name, value, values)
