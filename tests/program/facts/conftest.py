"""Fixtures that turn snippets of C and LLVM IR into programs."""

from __future__ import annotations

from tests.support.compiling import compile_c, read_ir

__all__ = ["compile_c", "read_ir"]
