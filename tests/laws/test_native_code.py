"""Law: a loop that runs as machine code has the effects that it has in the interpreter, and stops where that stops.

Random programs with loops are stepped side by side, with and without native code, a few hundred instructions at a time.
After each step the states agree in where they are, registers, memory, counts, what is covered, and what went wrong.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.power import some
from tests.support.runs import build, explore, options_of, written
from unfork.commands.assemble import parts, solving
from unfork.commands.assemble.bounding import budget
from unfork.engine.machine import code, hot_loops, machine, native_loops
from unfork.engine.machine.hot_loops import Costs
from unfork.engine.protocols.outcome import Failed, Halted, Killed, Outcome, Running
from unfork.engine.protocols.stepper import FORKS
from unfork.engine.state.live_registers import LiveRegisters, as_it_is
from unfork.program.llvm.binding import MachineCode, NoMachineCode

KINDS = ("u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64")
PRELUDE = """\
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unfork.h>
typedef uint8_t u8; typedef int8_t i8; typedef uint16_t u16; typedef int16_t i16;
typedef uint32_t u32; typedef int32_t i32; typedef uint64_t u64; typedef int64_t i64;
struct pair { u16 low; i64 wide; u8 *to; };
static u32 rotated(u32 x, u32 n) { n &= 31; return x << n | x >> (31 & -n); }
static i64 smaller(i64 a, i64 b) { if (a < b) return a; return b; }
static u8 taken(const u8 *from, u32 at) { return from[at % 16]; }
"""
STEPS = 400


@dataclass
class Writer:
    """Writes one random program. Its arrays have 16 elements; where it is wild an index may lie outside of them."""

    rng: random.Random
    wild: bool
    scalars: tuple[str, ...] = ("a", "b", "c", "d")
    depth: int = 0

    def program(self) -> str:
        rng = self.rng
        arrays = [f"static {kind} g_{kind}[16];" for kind in KINDS]
        start = [f"  {rng.choice(KINDS)} {name} = {rng.randrange(1 << 16)};" for name in self.scalars]
        symbolic = [f'  unfork_symbolic(&mixed[{i}], 1, "x");' for i in rng.sample(range(16), rng.randrange(3))]
        return "\n".join(
            [
                PRELUDE,
                *arrays,
                "static struct pair pairs[16]; static u8 mixed[16], copied[16];",
                "int main(void) {",
                *start,
                "  u8 fresh[16]; u8 *heap = malloc(16); u8 *p = g_u8;",
                "  for (int k = 0; k < 16; k++) pairs[k].to = k & 1 ? heap : g_u8;",
                *symbolic,
                *(() if self.wild else ("  memset(heap, 1, 16);",)),
                *self.loop("  "),
                *self.loop("  "),
                "  if (p == heap) a++;",
                "  free(heap);",
                "  return (int)(a ^ b ^ c ^ d) & 63;",
                "}",
            ]
        )

    def loop(self, pad: str) -> Iterator[str]:
        counter = f"i{self.depth}"
        self.depth += 1
        times = self.rng.choice((9, 17, 40) if self.depth == 1 else (3, 5, 16))
        yield f"{pad}for (u32 {counter} = 0; {counter} < {times}; {counter}++) {{"
        for _ in range(self.rng.randrange(2, 6)):
            yield from self.statement(pad + "  ", counter)
        yield pad + "}"
        self.depth -= 1

    def statement(self, pad: str, counter: str) -> Iterator[str]:
        rng, draw = self.rng, self.rng.random()
        name, kind = rng.choice(self.scalars), rng.choice(KINDS)
        if draw < 0.3:
            yield f"{pad}{name} = {self.value(counter)};"
        elif draw < 0.5:
            yield f"{pad}g_{kind}[{self.index(counter)}] = {self.value(counter)};"
        elif draw < 0.58:
            yield f"{pad}{rng.choice(('heap', 'fresh'))}[{self.index(counter)}] = {self.value(counter)};"
        elif draw < 0.64:
            yield f"{pad}pairs[{self.index(counter)}].{rng.choice(('low', 'wide'))} += {self.value(counter)};"
        elif draw < 0.7:
            yield f"{pad}p = pairs[{self.index(counter)}].to + ({name} & 7); {name} += *p;"
        elif draw < 0.72:
            yield f"{pad}if (mixed[{self.index(counter)}] == 7) {name}++;"
        elif draw < 0.74:
            yield f"{pad}copied[{self.index(counter)}] = mixed[{self.index(counter)}];"
        elif draw < 0.76:
            yield f"{pad}mixed[{self.index(counter)}] = {name};"
        elif draw < 0.78:
            yield f"{pad}memset(heap, {counter}, 16);"
        elif draw < 0.84 and self.depth < 3:
            yield from self.loop(pad)
        elif draw < 0.9:
            yield f"{pad}if ({self.value(counter)} < {self.value(counter)}) {{"
            yield from self.statement(pad + "  ", counter)
            yield pad + "}"
        else:
            yield f"{pad}switch ({self.value(counter)} & 3) {{ case 0: {name}++; break; case 1: {name} ^= 5; break; }}"

    def index(self, counter: str) -> str:
        inside = self.rng.choice((f"{counter} & 15", f"({self.value(counter)}) & 15"))
        return f"{counter} + {self.rng.randrange(4)}" if self.wild and self.rng.random() < 0.1 else inside

    def value(self, counter: str, depth: int = 0) -> str:
        rng, draw = self.rng, self.rng.random()
        if depth > 2 or draw < 0.2:
            return rng.choice((*self.scalars, counter, str(rng.randrange(256)), f"{rng.randrange(1 << 62)}ull"))
        left, right = self.value(counter, depth + 1), self.value(counter, depth + 1)
        if draw < 0.35:
            return f"g_{rng.choice(KINDS)}[({left}) & 15]"
        if draw < 0.45:
            return f"({rng.choice(KINDS)})({left})"
        if draw < 0.55:
            return rng.choice((f"rotated({left}, {right})", f"smaller({left}, {right})", f"taken(g_u8, {left})"))
        if draw < 0.6:
            return f"(i64)(p - g_u8 + ({left} & 3))" if rng.random() < 0.2 else f"({left} ? {right} : 3)"
        if draw < 0.7:
            divisor = right if self.wild and rng.random() < 0.2 else f"(({right}) | 1)"
            return f"(({left}) {rng.choice('/%')} {divisor})"
        if draw < 0.78:
            return f"((u64)({left}) {rng.choice(('<<', '>>'))} (({right}) & 63))"
        return f"(({left}) {rng.choice(('+', '-', '*', '&', '|', '^'))} ({right}))"


def facts(outcome: Outcome, live: LiveRegisters, edges: list[tuple[str, int, int]]) -> tuple[object, ...]:
    """All that two runs must agree in. A path that has ended reads no register of its top frame."""
    state = outcome.state
    resting = len(state.frames) if isinstance(outcome, Running) else len(state.frames) - 1
    frames = [
        (
            frame.function.name,
            frame.block,
            frame.index,
            frame.calls or {},
            [frame.registers[register] for register in live.of_frame(state, depth)] if depth < resting else [],
        )
        for depth, frame in enumerate(state.frames)
    ]
    memory = {
        number: (bytes(item.data), marks if any(marks) else None, item.symbolic or {}, item.origins or {}, item.size)
        for number, item in sorted(state.memory.objects.held.items())
        for marks in [bytes(item.mask or b"")]
    }
    counts = (state.instructions, state.depth, state.forks, state.input_counts, len(state.inputs))
    return frames, memory, counts, [edges[number] for number in state.pending]


def described(outcome: Outcome) -> tuple[object, ...]:
    match outcome:
        case Failed(fault=fault):
            return "failed", fault.kind, fault.message, fault.position
        case Halted(end=end, status=status):
            return "halted", end, status
        case Killed(reason=reason, detail=detail):
            return "killed", reason, detail
    return ("running",)


def steps(source: Path, folder: Path, jit: str) -> Iterator[tuple[object, ...]]:
    """What each step of a search in depth comes to."""
    options = options_of(folder, "--strategy", "plain", "--check", "uninitialised", jit=jit, libc="none")
    program = build([source], options)
    backend = solving.backend(options)
    assembled = parts.assemble(options, program, (), backend, budget(options, 0.0))
    engine = assembled.engine
    if jit == "auto":  # compile at once, and believe in it
        engine.machine._costs = Costs(spent=0.0, timed=1e9)
    live, waiting = LiveRegisters(engine.machine.facts, as_it_is), list(assembled.first)
    for _ in range(STEPS):
        if not waiting:
            break
        outcomes = engine.machine.step(waiting.pop(), FORKS)
        for outcome in outcomes:
            yield (*described(outcome), facts(outcome, live, engine.coverage.edges))
            if described(outcome) == ("running",):
                waiting.append(outcome.state)
            else:
                engine.coverage.settle(outcome.state.pending)
        yield "covered", engine.coverage.covered_edges(), list(engine.coverage.edges)
    yield "native", engine.machine._costs.native


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps are short, and loops are compiled soon."""
    monkeypatch.setattr(machine, "QUANTUM", 331)
    monkeypatch.setattr(code, "VISITS_BEFORE_COMPILING", 1)
    monkeypatch.setattr(hot_loops, "LOOK", 1)


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("seed", some([*range(16)], "native code", 6))
def test_native_code_agrees_with_the_interpreter(seed: int, tmp_path: Path) -> None:
    text = Writer(random.Random(seed), wild=seed % 3 == 0).program()
    source = written(text, tmp_path)
    plain, native = (list(steps(source, tmp_path / jit, jit)) for jit in ("never", "auto"))
    assert plain[:-1] == native[:-1]
    assert plain[-1] == ("native", 0) and native[-1] > ("native", 0)


@pytest.mark.usefixtures("hurried")
def test_without_machine_code_a_run_says_so_and_comes_out_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(text: str, name: str) -> MachineCode:
        raise NoMachineCode("no memory may be executed")

    source = written(Writer(random.Random(2), wild=False).program(), tmp_path)
    words = ("--strategy", "plain", "--cores", "1", "--libc", "none")
    usual = explore(source, tmp_path / "usual", *words)
    monkeypatch.setattr(native_loops, "machine_code", refuse)
    monkeypatch.setattr(hot_loops.Costs, "of_compiling", lambda costs, size: 0.0)
    without = explore(source, tmp_path / "without", *words)
    assert "no memory may be executed" in (tmp_path / "without" / "warnings.txt").read_text()
    assert (without.verdict, without.summary["instructions"]) == (usual.verdict, usual.summary["instructions"])
