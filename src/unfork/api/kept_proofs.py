"""Proofs that are kept from one verify to the next: only what changed is proved again."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import unfork
from unfork.clang.contracts import FunctionContract
from unfork.llvm import cache as kept
from unfork.options import Options
from unfork.report.proofs import Proved, as_data, from_data

_CHOICES = ("check", "merge", "similar", "join", "predicate", "qce", "loops", "unwind", "libc", "abort", "max_size")
"""The options that say what is proved, and how."""


def key(fingerprint: str, options: Options) -> str:
    """Under which name a proof is kept: it depends on the engine, too."""
    return kept.key("proof", _engine(), fingerprint, repr([getattr(options, name) for name in _CHOICES]))


def find(name: str, contract: FunctionContract) -> Proved | None:
    """The proof that is kept under a name, with the lines where its contract stands now."""
    data = kept.get(name)
    return None if data is None else replace(from_data(_moved(json.loads(data), contract, 1)), is_cached=True)


def keep(name: str, contract: FunctionContract, proved: Proved) -> None:
    """Keep a proof. Only what is safe is kept: the rest is tried again."""
    if proved.verdict == "safe":
        kept.put(name, json.dumps(_moved(as_data(proved), contract, -1)).encode())


def _moved(data: dict[str, Any], contract: FunctionContract, sign: int) -> dict[str, Any]:
    """The data with lines of the contract's file counted from its own line (-1), or in the file (1)."""
    here = contract.file if sign < 0 else ""
    for each in data["obligations"]:
        if each["file"] == here:
            each["line"] += sign * contract.line
            each["file"] = "" if sign < 0 else contract.file
    return data


@cache
def _engine() -> str:
    """A digest of unfork itself."""
    digest = hashlib.sha256()
    folder = Path(unfork.__file__).parent
    for file in sorted(folder.rglob("*.py")):
        digest.update(str(file.relative_to(folder)).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()
