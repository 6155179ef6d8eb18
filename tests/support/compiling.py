"""Fixtures that turn snippets of C and LLVM IR into programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from unfork.program.llvm.compiler import CompileOptions, build
from unfork.program.llvm.module import Program

Compile = Callable[..., Program]


@pytest.fixture
def compile_c(tmp_path: Path) -> Compile:
    """Compile C text: ``compile_c(text, optimize=0, flags=(...))``."""

    def compile_text(text: str, **options: object) -> Program:
        file = tmp_path / "snippet.c"
        file.write_text(text)
        return build([file], CompileOptions(**options))  # type: ignore[arg-type]

    return compile_text


@pytest.fixture
def read_ir(tmp_path: Path) -> Compile:
    """Read LLVM IR text, without passes unless asked for."""

    def read_text(text: str, optimize: int = 0) -> Program:
        file = tmp_path / "snippet.ll"
        file.write_text(text)
        return build([file], CompileOptions(optimize=optimize))

    return read_text
