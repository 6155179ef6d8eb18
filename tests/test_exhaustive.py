"""Random programs over one or two symbolic bytes: every input lies on one path, and ends there as it does natively.

For each program the engine's paths are compared with native runs of all inputs (of 256; of more, a sample and the
inputs of every test): the one path whose condition accepts an input must claim its exit status, or its fault's kind
and line; the verdict, the reported errors and the written tests follow.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.generated_expressions import WIDTHS
from tests.support.generated_programs import Program, generate
from tests.support.native_sweep import missing_tool, sweep
from tests.support.power import IS_FULL, some
from tests.support.sweep_compare import Explored, differences, explore, witnesses, wrong_tests

LACK = missing_tool()
pytestmark = pytest.mark.skipif(LACK is not None, reason=f"NO NATIVE SWEEP: {LACK} is missing; nothing is compared")

GROUP = 16
SEARCHES = (("coverage",), ("cover",), ("dfs",), ("bfs",), ("random-path",), ("random-state",))
CLANG = "clang-16"
SAMPLE = 250
CORNERS = (0, 1, 0x7F, 0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF)


def _inputs(program: Program, explored: Explored, seed: int) -> list[int]:
    bits = sum(WIDTHS[kind] for kind in program.inputs)
    if bits == 8:
        return list(range(256))
    rng = random.Random(seed)
    return sorted({*CORNERS, *(rng.randrange(1 << bits) for _ in range(SAMPLE)), *witnesses(explored, program)})


def _compare(
    seeds: range, folder: Path, options_of: Callable[[int], dict[str, Any]], source_of: Callable[[Path], Path]
) -> None:
    """Explore the programs of ``seeds``, run them natively together, and say every difference."""
    optimised = source_of is not _itself
    programs, runs, inputs = [], {}, {}
    for seed in seeds:
        program = generate(seed, f"p{seed}")
        file = folder / f"{program.name}.c"
        file.write_text(program.text)
        explored = explore(source_of(file), program, folder / f"out-{program.name}", **options_of(seed))
        programs.append(program)
        runs[program.name] = explored
        inputs[program.name] = _inputs(program, explored, seed)
    fates = sweep(programs, inputs, folder)
    wrong = []
    for seed, program in zip(seeds, programs, strict=True):
        found = differences(runs[program.name], program, fates[program.name], faults=not optimised)
        if not optimised:
            found += wrong_tests(runs[program.name], program, fates[program.name])
        wrong += [f"seed {seed}: {each}" for each in found]
    assert not wrong, "\n".join(wrong)


def _itself(file: Path) -> Path:
    return file


def _bitcode(level: str) -> Callable[[Path], Path]:
    def compiled(file: Path) -> Path:
        output = file.with_suffix(".bc")
        command = [CLANG, "-w", "-g", level, "-fno-strict-aliasing", "-c", "-emit-llvm", str(file), "-o", str(output)]
        subprocess.run(command, check=True, timeout=60)
        return output

    return compiled


@pytest.mark.parametrize("group", some(range(3), "natively"))
def test_every_input_ends_as_it_does_natively(group: int, tmp_path: Path) -> None:
    first = 1 + group * GROUP

    def options_of(seed: int) -> dict[str, Any]:
        return {"search": SEARCHES[seed % len(SEARCHES)], "optimize": int(seed % 4 != 0)}

    _compare(range(first, first + (GROUP if IS_FULL else 8)), tmp_path, options_of, _itself)


@pytest.mark.parametrize("level", some(["-O1", "-O2"], "levels"))
def test_every_sound_input_ends_alike_in_optimised_bitcode(level: str, tmp_path: Path) -> None:
    if shutil.which(CLANG) is None:
        pytest.skip(f"NO {CLANG}: its bitcode is not compared")
    first = 101 if level == "-O1" else 121
    _compare(range(first, first + (10 if IS_FULL else 5)), tmp_path, lambda seed: {}, _bitcode(level))


def test_the_programs_are_worth_it() -> None:
    """Generated programs branch, fail and loop; a generator that writes only straight lines would go unseen."""
    texts = [generate(seed, "p").text for seed in range(1, 1 + 3 * GROUP)]
    for needle in ("if (", "for (", "switch (", "malloc(", "memcpy(", "->next", "union {", "float ", "memset("):
        assert sum(needle in text.split("strcat", 1)[1] for text in texts) >= 2, needle
