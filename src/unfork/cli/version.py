"""What ``unfork --version`` says: the version, the commit that it was built from, and what it computes with."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

from unfork import host
from unfork.options.options import VERSION
from unfork.program.llvm.subprocesses import run

COMMIT = Path(__file__).parents[1] / "commit"
"""In a wheel, the commit that it was built from (hatch_build.py)."""
_PARTS = ("bitwuzla", "z3-solver", "llvmlite", "ziglang")


def text() -> str:
    """Lines for people. The first one is the version alone."""
    parts = ", ".join(f"{name} {_version(name)}" for name in _PARTS)
    return f"unfork {VERSION}\ncommit {commit() or 'unknown'}\n{parts}\n{host.this().name} on {host.this().processor}"


def commit() -> str | None:
    """The commit of the wheel or of the checkout; None where neither tells."""
    if COMMIT.is_file():
        return COMMIT.read_text().strip()
    checkout = COMMIT.parents[2]
    if not (checkout / ".git").exists():
        return None
    try:
        done = run(["git", "-C", str(checkout), "rev-parse", "HEAD"])
    except OSError:
        return None
    return done.output.decode().strip() if done.status == 0 else None


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "missing"
