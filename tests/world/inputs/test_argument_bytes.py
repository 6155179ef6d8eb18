"""A fuzzer's bytes mean the same arguments to the C that calls a function and to the engine that follows it."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from unfork.commands.assemble import bounding, starting
from unfork.commands.assemble.building import build_for_run, given
from unfork.commands.assemble.raced_strategies import strategies
from unfork.commands.run.strategy_plan import StrategyPlan
from unfork.options.options import Options
from unfork.world.inputs import heap_data
from unfork.world.inputs.argument_bytes import ArgumentBytes

PROGRAM = """
#include <stdio.h>
#include <string.h>
struct plain { short a; unsigned char b; int c[2]; };
struct slice { const unsigned char *data; unsigned size; };
struct point { signed char x; long y; };
struct result { long a, b; };
struct result f(short n, const char *text, unsigned char *data, unsigned size, struct plain *p, long *out,
                struct slice s, struct point q)
{
    printf("%d %zu %u %d %d %d %d %ld", n, strlen(text), size, p->a, p->b, p->c[0], p->c[1], out[0]);
    printf(" %u %d %ld", s.size, q.x, q.y);
    for (; *text; text++) printf(" %02x", (unsigned char)*text);
    for (unsigned i = 0; i < size; i++) printf(" %02x", data[i]);
    for (unsigned i = 0; i < s.size; i++) printf(" %02x", s.data[i]);
    return (struct result){0, 0};
}
"""
MAIN = """
#include <stdio.h>
int LLVMFuzzerTestOneInput(const unsigned char *, unsigned long);
int main(void)
{
    static unsigned char room[1 << 16];
    return LLVMFuzzerTestOneInput(room, fread(room, 1, sizeof room, stdin));
}
"""


def arguments_of(text: str, function: str, folder: Path) -> ArgumentBytes:
    """How bytes are the arguments of a function of a C program."""
    file = folder / "program.c"
    file.write_text(text)
    changes = {"function": function, "sizes": "pair", "lengths": "measured", "strategy": ("plain",)}
    [(_, options)] = strategies(Options(**changes, given=frozenset(changes)))  # type: ignore[arg-type]
    asked = given([str(file)])
    program = build_for_run(options, asked)
    whole = bounding.budget(options, 0.0)
    with StrategyPlan("plain", 0, asked.names, options, (), whole).explorer(program, whole) as explorer:
        states = starting.start(options)(explorer.parts.engine.machine, explorer.parts.command)
        known = ArgumentBytes(program, program.function(function), states[0], {})
        heap = heap_data.of_state(states[0], states[0].path.model())
        assert heap is not None
        assert isinstance(known.input_of(heap), bytes)
        return known


def shown(inputs: dict[str, bytes]) -> str:
    """What ``f`` prints of inputs."""

    def number(name: str, size: int, *, is_signed: bool = True) -> int:
        return int.from_bytes(inputs.get(name, b"").ljust(size, b"\0"), "little", signed=is_signed)

    length, size, room = number("strlen(text)", 8), number("size", 4), number("s.size", 4)
    members = number("p->a", 2), number("p->b", 1, is_signed=False), number("p->c[0]", 4), number("p->c[1]", 4)
    numbers = [number("n", 2), length, size, *members, number("out[0]", 8), room, number("q.x", 1), number("q.y", 8)]
    places = [f"text[{at}]" for at in range(length)] + [f"data[{at}]" for at in range(size)]
    places += [f"s.data[{at}]" for at in range(room)]
    return " ".join([*map(str, numbers), *[f"{number(each, 1, is_signed=False):02x}" for each in places]])


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
def test_both_read_the_same_arguments(tmp_path: Path) -> None:
    arguments = arguments_of(PROGRAM, "f", tmp_path)
    assert arguments.is_known
    (tmp_path / "target.c").write_text(arguments.target())
    (tmp_path / "main.c").write_text(MAIN)
    files = [str(tmp_path / name) for name in ("program.c", "target.c", "main.c")]
    subprocess.run(["cc", "-w", *files, "-o", str(tmp_path / "calls")], check=True)
    chance = random.Random(1)
    for length in (0, 1, 5, 13, 40, 200):
        data = bytes(chance.choices((0, 1, 2, 65, 200), k=length))
        done = subprocess.run([str(tmp_path / "calls")], input=data, capture_output=True, check=True)
        assert done.stdout.decode().split() == shown(arguments.contents(data)).split()


def test_arguments_that_no_bytes_can_say_are_not_known(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    assert not arguments_of("int f(int (*g)(int), int n) { return g(n); }", "f", tmp_path / "one").is_known
    (tmp_path / "two").mkdir()
    numbers = arguments_of("int f(int n) { return n; }", "f", tmp_path / "two")
    assert numbers.is_known
    assert not numbers.takes_contents
