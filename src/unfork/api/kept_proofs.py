"""What a proof came to, and proofs that are kept from one verify to the next: only what changed is proved again."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import unfork
from unfork.checked_json import parsed, text
from unfork.clang.contracts import FunctionContract
from unfork.llvm import cache as kept
from unfork.options import Options
from unfork.spec.obligations import Obligation

_CHOICES = ("check", "merge", "similar", "join", "predicate", "qce", "loops", "unwind", "libc", "abort", "max_size")
"""The options that say what is proved, and how."""


@dataclass(frozen=True, slots=True)
class Broken:
    """How a contract is broken: what fails where, and the call that shows it."""

    kind: str
    what: str
    file: str
    line: int
    call: str


@dataclass(frozen=True, slots=True)
class Proved:
    """How the proof of one function ended. ``reasons`` say why it is not safe."""

    function: str
    verdict: str
    obligations: Sequence[Obligation]
    reasons: Sequence[str]
    broken: Broken | None
    paths: int
    instructions: int
    joins: int
    operators: int
    """In all queries that were asked for obligations: the size of the proof."""
    operators_of_vacuity: int
    """In those that ask whether what is assumed can be."""
    seconds: float
    confirmed: int = 0
    """How often the other solver proved the same, if that was asked for."""
    unconfirmed: int = 0
    is_cached: bool = False
    inferred: Mapping[str, Any] | None = None
    """What joins inferred, and where they had to be exact; None unless predicates are inferred."""
    called: Sequence[str] = ()
    """The functions whose contracts it uses, by their names in the program."""


def as_data(proved: Proved) -> dict[str, Any]:
    """A function's proof for summary.json."""
    broken = proved.broken
    return {
        "function": proved.function,
        "verdict": proved.verdict,
        "obligations": [
            {
                "kind": each.place.kind,
                "file": each.place.file,
                "line": each.place.line,
                "text": each.place.text,
                "ending": each.ending,
                "paths": each.paths,
                "by": dict(each.by),
                "seconds": round(each.seconds, 3),
                "detail": each.detail,
            }
            for each in proved.obligations
        ],
        "reasons": list(proved.reasons),
        "counterexample": None
        if broken is None
        else {"kind": broken.kind, "text": broken.what, "file": broken.file, "line": broken.line, "call": broken.call},
        "paths": proved.paths,
        "instructions": proved.instructions,
        "joins": proved.joins,
        "operators": proved.operators,
        "operators_of_vacuity": proved.operators_of_vacuity,
        "seconds": round(proved.seconds, 3),
        "audit": {"confirmed": proved.confirmed, "unconfirmed": proved.unconfirmed},
        "cached": proved.is_cached,
        "inferred": proved.inferred,
        "called": list(proved.called),
    }


def key(fingerprint: str, options: Options) -> str:
    """Under which name a proof is kept: it depends on the engine, too."""
    return kept.key("proof", _engine(), fingerprint, repr([getattr(options, name) for name in _CHOICES]))


def find(name: str, contract: FunctionContract) -> Proved | None:
    """The proof that is kept under a name, with the lines where its contract stands now."""
    data = kept.get(name)
    return None if data is None else replace(_moved(parsed(data, Proved), contract, 1), is_cached=True)


def keep(name: str, contract: FunctionContract, proved: Proved) -> None:
    """Keep a proof. Only what is safe is kept: the rest is tried again."""
    if proved.verdict == "safe":
        kept.put(name, text(_moved(proved, contract, -1)).encode())


def _moved(proved: Proved, contract: FunctionContract, sign: int) -> Proved:
    """The proof with lines of the contract's file counted from its own line (-1), or in the file (1)."""
    here, there = (contract.file, "") if sign < 0 else ("", contract.file)
    obligations = [
        replace(each, place=replace(each.place, file=there, line=each.place.line + sign * contract.line))
        if each.place.file == here
        else each
        for each in proved.obligations
    ]
    return replace(proved, obligations=obligations)


@cache
def _engine() -> str:
    """A digest of unfork itself."""
    digest = hashlib.sha256()
    folder = Path(unfork.__file__).parent
    for file in sorted(folder.rglob("*.py")):
        digest.update(str(file.relative_to(folder)).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()
