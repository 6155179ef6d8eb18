"""The memory operations that instructions and modelled functions are written with, in one place."""

from __future__ import annotations

from unfork.execute.heap import allocate, reallocate, release
from unfork.execute.loads import load, store
from unfork.execute.ranges import compare, copy, copy_apart, fill, readable, writable
from unfork.execute.resolve import Place, resolve, resolve_single
from unfork.execute.strings import read_c_string, text_at

__all__ = [
    "Place",
    "allocate",
    "compare",
    "copy",
    "copy_apart",
    "fill",
    "load",
    "read_c_string",
    "readable",
    "reallocate",
    "release",
    "resolve",
    "resolve_single",
    "store",
    "text_at",
    "writable",
]
