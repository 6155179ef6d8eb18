"""Why states that meet are not joined: the most frequent reasons on tools of coreutils, each with what differed.

``python -m bench.refusals FOLDER --tools echo,paste --cpu 30`` explores each tool under ``--strategy count``, or under
``--options``, for so many seconds of processors. A hot variable is named after its function, or after its object.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from bench.measure import WORLD
from unfork.cli import parse
from unfork.commands.run.run import run
from unfork.engine.protocols.join import Refusal
from unfork.engine.state.remembered import Remembered
from unfork.engine.state.state import Frame, State
from unfork.program.llvm.ir import Register
from unfork.reduce.merge import joined_facts, states
from unfork.reduce.merge.similarity import QueryCounting, difference, same

TOOLS = "echo,paste,cut,link,seq,join"


class Seen:
    """Counts what differed, in words."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._names: dict[tuple[str, int], str] = {}

    def hot(self, counting: QueryCounting, a: State, b: State) -> Refusal | None:
        """As ``QueryCounting.differs``; a refusal is counted under its hottest variable."""
        refusal = DIFFERS(counting, a, b)
        if refusal is not None:
            self.counts[f"hot variable {max(self._hot(counting, a, b))[1]}"] += 1
        return refusal

    def _hot(self, counting: QueryCounting, a: State, b: State) -> list[tuple[float, str]]:
        local = counting._local(a)
        differing: list[tuple[float, str]] = []
        for count, mine, theirs in zip(local, a.frames, b.frames, strict=True):
            for register, queries in count.registers:
                if not same(mine.registers[register], theirs.registers[register]):
                    differing.append((float(queries), f"{mine.function.source_name}: {self._name(mine, register)}"))
        for (number, offset, size), queries in counting._cells(a, local).items():
            left, right = a.memory.objects.get(number), b.memory.objects.get(number)
            if difference(left, right, offset, size):
                assert left is not None
                differing.append((float(queries), f"{left.name}+{offset}"))
        return differing

    def _name(self, frame: Frame, register: int) -> str:
        function = frame.function
        key = function.name, register
        name = self._names.get(key)
        if name is None:
            records = [record for block in function.blocks for record in block.debug]
            named = [
                record.variable.name
                for record in records
                if isinstance(record.operand, Register) and record.operand.index == register
            ]
            name = self._names[key] = named[0] if named else f"%{register}"
        return name

    def facts(self, a: Remembered, b: Remembered) -> None:
        """As ``check_facts``; a refusal is counted under the fields that differ."""
        try:
            CHECK(a, b)
        except joined_facts.Unjoinable:
            for fact in a.either(b):
                self._fields(a[fact], b[fact], fact.name)
            raise

    def _fields(self, mine: object, theirs: object, name: str) -> None:
        if mine is theirs or mine == theirs:
            return
        if isinstance(mine, tuple) and isinstance(theirs, tuple) and len(mine) == len(theirs):
            for place, (left, right) in enumerate(zip(mine, theirs, strict=True)):
                self._fields(left, right, f"{name}[{place}]")
        elif dataclasses.is_dataclass(mine) and type(mine) is type(theirs):
            for field in dataclasses.fields(mine):
                self._fields(getattr(mine, field.name), getattr(theirs, field.name), f"{name}.{field.name}")
        else:
            self.counts[f"different {name}"] += 1


DIFFERS, CHECK = QueryCounting.differs, joined_facts.check_facts


@contextmanager
def interrupted_after(cpu: float) -> Iterator[None]:
    """Interrupt the run as Ctrl-C does once this process has used so many seconds of processors."""
    signal.signal(signal.SIGPROF, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    signal.setitimer(signal.ITIMER_PROF, cpu)
    yield
    signal.setitimer(signal.ITIMER_PROF, 0)


def refusals(bitcode: Path, cpu: float, options: list[str]) -> tuple[dict[str, int], Seen, int]:
    """(refusals by reason, what differed, joins) of one run."""
    seen = Seen()

    def differs(counting: QueryCounting, a: State, b: State) -> Refusal | None:
        return seen.hot(counting, a, b)

    with (
        tempfile.TemporaryDirectory() as folder,
        interrupted_after(cpu),
        mock.patch.object(QueryCounting, "differs", differs),
        mock.patch.object(states, "check_facts", seen.facts),
    ):
        words = [*options, "--cores", "1", "--no-progress", "--quiet", "--out", f"{folder}/out"]
        result = run([bitcode], parse(words)[1], WORLD)
    merges = result.summary["merges"]
    return merges["refused"], seen, merges["done"]


def main() -> None:
    """Print a list for each tool."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the tools' bitcode is, as bench/coreutils.py builds it")
    parser.add_argument("--tools", default=TOOLS)
    parser.add_argument("--cpu", type=float, default=30.0)
    parser.add_argument("--options", default="--strategy count")
    given = parser.parse_args()
    for tool in given.tools.split(","):
        refused, seen, joins = refusals(given.folder / f"{tool}.bc", given.cpu, given.options.split())
        print(
            f"{tool}: {joins} joins; {', '.join(f'{reason} {count}' for reason, count in refused.items())}", flush=True
        )
        for name, count in seen.counts.most_common(10):
            print(f"  {count:6}  {name}", flush=True)


if __name__ == "__main__":
    main()
