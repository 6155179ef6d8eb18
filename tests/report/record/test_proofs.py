"""What is printed of proofs, and kept."""

from __future__ import annotations

from unfork.checked_json import parse, text
from unfork.commands.verify.function_proof import Broken, Proved, as_data
from unfork.commands.verify.obligations import ProofObligation, Subject
from unfork.report.record.text import proof_lines

KEPT = ProofObligation(Subject("invariant kept", "a.c", 7, "0 <= i"), "proved", 2, 0.25, {"bit-vectors": 2})
OPEN = ProofObligation(Subject("ensures", "a.c", 3, "\\result == \033[1m"), "open", 1, 0.5, {}, "here i = 3\nand n = 4")
SAFE = Proved("f", "safe", [KEPT], [], None, 2, 40, 1, 300, 70, 1.25)
BROKEN = Broken("contract", "x > 0", "a.c", 3, "f(a = {1, 2})")
UNSAFE = Proved("g", "unsafe", [KEPT, OPEN], ["stopped by max-time"], BROKEN, 2, 40, 1, 300, 70, 1.25)


def lines(*proofs: Proved) -> list[str]:
    summary = {
        "verdict": "unknown",
        "assumptions": [],
        "left_out": [],
        "functions": [{**as_data(each), "assumptions": []} for each in proofs],
    }
    return proof_lines(summary, "out")[:-1]


def test_a_line_for_each_obligation() -> None:
    first, second = lines(SAFE)
    assert first == "f: safe (1 of 1 obligations proved, 1.2 s)"
    assert second.split() == ["proved", "invariant", "kept", "line", "7", "0", "<=", "i", "bit-vectors", "0.25", "s"]


def test_what_is_open_is_explained() -> None:
    said = lines(UNSAFE)
    assert said[0] == "g: unsafe (1 of 2 obligations proved, 1.2 s)"
    assert said[2].startswith("  OPEN ")
    assert [line.strip() for line in said[3:]] == [
        "here i = 3",
        "and n = 4",
        "f(a = {1, 2})",
        "breaks contract at a.c:3: x > 0",
        "not proved: stopped by max-time",
    ]
    assert "\033" not in "\n".join(said)


def test_a_proof_that_is_kept_says_the_same() -> None:
    assert as_data(parse(text(SAFE), Proved)) == as_data(SAFE)
