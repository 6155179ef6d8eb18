"""Proofs are kept, and only what changed is proved again."""

from __future__ import annotations

from pathlib import Path

from unfork.commands.verify.verify import Verified, verify
from unfork.options.options import Options

TEXT = """\
/*@ requires x > 0; assigns \\nothing; ensures \\result > 0; */
int same(int x) { return x; }
/*@ requires x > 0; assigns \\nothing; ensures \\result > 0; */
int twice(int x) { return same(x) + DEPENDS; }
"""


def kept(folder: Path, text: str, name: str) -> dict[str, tuple[bool, str, list[int]]]:
    """For each function, whether its proof was there already, its verdict, and the lines of its obligations."""
    verified = proved(folder, text, name)
    return {
        each.function: (each.is_cached, each.verdict, [one.subject.line for one in each.obligations])
        for each in verified.functions
    }


def proved(folder: Path, text: str, name: str) -> Verified:
    file = folder / "same.c"
    file.write_text(text)
    return verify(file, Options(quiet=True, out=str(folder / name)))


def test_what_did_not_change_is_not_proved_again_and_has_its_lines_where_it_stands_now(tmp_path: Path) -> None:
    text = TEXT.replace("DEPENDS", "0")
    first = kept(tmp_path, text, "first")
    again = kept(tmp_path, "/* a comment */\n" + text, "again")
    assert [entry[:2] for entry in first.values()] == [(False, "safe")] * 2
    assert [entry[:2] for entry in again.values()] == [(True, "safe")] * 2
    for name, (_, _, lines) in first.items():
        assert again[name][2] == [line + 1 for line in lines]


def test_a_change_of_a_function_is_seen_in_it_and_not_in_what_it_calls(tmp_path: Path) -> None:
    kept(tmp_path, TEXT.replace("DEPENDS", "0"), "first")
    changed = kept(tmp_path, TEXT.replace("DEPENDS", "(x & 0)"), "changed")
    assert changed["same"][0]
    assert not changed["twice"][0]


def test_a_change_of_a_callees_contract_is_seen_in_its_callers(tmp_path: Path) -> None:
    text = TEXT.replace("DEPENDS", "0")
    kept(tmp_path, text, "first")
    changed = kept(tmp_path, text.replace("\\result > 0", "\\result >= 0", 1), "changed")
    assert changed["same"][:2] == (False, "safe")
    assert changed["twice"][:2] == (False, "unknown")


def test_what_joins_inferred_is_kept_with_the_proof(tmp_path: Path) -> None:
    file = tmp_path / "larger.c"
    file.write_text("/*@ ensures \\result >= x; */\nint larger(int x, int y) { if (x < y) x = y; return x; }\n")
    told = []
    for name in ("first", "again"):
        options = Options(quiet=True, out=str(tmp_path / name), merge="static", join="abstract:inferred")
        (proved,) = verify(file, options).functions
        told.append((proved.is_cached, proved.inferred))
    (_, first), again = told
    assert first is not None
    assert again == (True, first)


def test_what_breaks_a_contract_is_told_where_it_is_now(tmp_path: Path) -> None:
    text = "/*@ requires n >= 0; */\nint next(int n) { return n + 1; }\n"
    told = []
    for folder, before in (("first", ""), ("again", "\n\n")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "next.c").write_text(before + text)
        options = Options(quiet=True, out=str(tmp_path / folder / "out"))
        (function,) = verify(tmp_path / folder / "next.c", options).summary["functions"]
        told.append((function["cached"], function["counterexample"]["file"], function["counterexample"]["line"]))
    assert told == [(False, f"{tmp_path}/first/next.c", 2), (True, f"{tmp_path}/again/next.c", 4)]


def test_what_a_proof_assumes_is_kept_with_it(tmp_path: Path) -> None:
    ext = "/*@ assigns \\nothing; ensures \\result > 0; */ int ext(KIND x)"
    caller = "/*@ assigns \\nothing; ensures \\result > 0; */ int f(int x) { return ext(x); }\n"
    first = proved(tmp_path, f"{ext};\n{caller}".replace("KIND", "int"), "first")
    again = proved(tmp_path, f"\n{ext};\n{caller}".replace("KIND", "int"), "again")
    assert [each.is_cached for each in again.functions] == [True]
    assert first.summary["assumptions"] == [f"the contract of ext ({tmp_path}/same.c:1): it has no body"]
    assert again.summary["assumptions"] == [f"the contract of ext ({tmp_path}/same.c:2): it has no body"]
    retyped = proved(tmp_path, f"{ext};\n{caller}".replace("KIND", "unsigned"), "retyped")
    assert [each.is_cached for each in retyped.functions] == [False]
    defined = proved(tmp_path, f"{ext} {{ return 1; }}\n{caller}".replace("KIND", "int"), "defined")
    assert defined.summary["assumptions"] == []
