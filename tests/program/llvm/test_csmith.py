"""Random C is read without anything unknown, and every branch of the compiler's survives the passes."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from unfork.program.facts.cfg import control_flow
from unfork.program.facts.dataflow import Liveness
from unfork.program.llvm.compiler import CompileOptions, build
from unfork.program.llvm.ir import UnknownInstruction
from unfork.program.llvm.module import Program

CSMITH = shutil.which("csmith")

HEADER = """
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static uint32_t crc32_context;
static void platform_main_begin(void) {}
static void platform_main_end(uint32_t crc, int flag) { printf("%x %d", crc, flag); }
static void crc32_gentab(void) {}
static void transparent_crc(uint64_t v, char *name, int flag) { crc32_context += v + !name + flag; }
static void transparent_crc_bytes(char *p, int n, char *name, int flag) { transparent_crc(p[n - 1], name, flag); }
"""


def shape(program: Program) -> dict[str, list[tuple[int, ...]]]:
    return {name: list(control_flow(program.function(name)).successors) for name in program.defined}


@pytest.mark.skipif(CSMITH is None, reason="csmith is not installed")
@pytest.mark.parametrize("seed", range(3))
def test_random_programs(tmp_path: Path, seed: int) -> None:
    assert CSMITH is not None
    (tmp_path / "csmith.h").write_text(HEADER)
    file = tmp_path / "random.c"
    subprocess.run([CSMITH, "--no-safe-math", "--seed", str(seed), "--output", str(file)], check=True)
    program = build([file], CompileOptions(flags=("-w",)))
    for name in program.defined:
        function = program.function(name)
        flow = control_flow(function)
        live = Liveness(function, flow)
        assert live.entry[0] < 1 << len(function.type.parameters)
        assert not [it for block in function.blocks for it in block.body if isinstance(it, UnknownInstruction)]
    assert shape(program) == shape(build([file], CompileOptions(flags=("-w",), optimize=0)))
