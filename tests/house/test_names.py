"""Names identify: a public class has a name that no other has."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import unfork

SOURCES = sorted(Path(unfork.__file__).parent.rglob("*.py"))
STILL_TWICE = """
Address Annotated Anything Asked Assembly Assignment Attention AuditCounts Beginning Binary Block
Bound Branching Candidate Cast Cell Cells Choice Claim Command Computed Conditions Counting Covered
Cursor Deciding Definition Driver Each Earlier Either Elements Elsewhere End Ended Ending Entry
Facts Failed Failure Family Fit Following Forgotten Forked Format Found Frame Given Goal Group
Guarded Input Invariant Iteration Job Kind Known Learnt Left Limits Link Live Located Logic Loop
Manner Member Mismatch Model News Number Numbers Obligation Origin Parts Piece Place Position Proof
Quantified Range Reading Record Refused Region Report Result Row Side Sight Source Spot Store
Strategy Surroundings Task Tools Turn Turns Union Unknown Variable Visit Waiting Wanted Whole Word
Written
""".split()
"""Names that several classes share: this only gets less."""


def test_no_further_name_is_given_to_two_classes() -> None:
    names = Counter(
        node.name
        for path in SOURCES
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert sorted(name for name, count in names.items() if count > 1) == STILL_TWICE
