"""Functions that have a contract and no body: what is said of them, and which of them are refused."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from unfork.cli import parse
from unfork.commands.verify.verify import Verified, verify
from unfork.errors import InputError
from unfork.report.record.show import show

EXT = "/*@ assigns \\nothing; ensures \\result > 0; */ int ext(int x);\n"
CALLER = "/*@ assigns \\nothing; ensures \\result > 0; */ int f(int x) { return ext(x); }\n"


def proof(folder: Path, texts: Mapping[str, str], words: str = "") -> Verified:
    for name, text in texts.items():
        (folder / name).write_text(text)
    files = [folder / name for name in texts]
    return verify(files, parse(["-", "--quiet", "--out", str(folder / "out"), *words.split()])[1])


def test_the_verdict_says_what_is_assumed(tmp_path: Path) -> None:
    verified = proof(tmp_path, {"a.c": EXT + CALLER})
    [assumption] = verified.summary["assumptions"]
    assert assumption == f"the contract of ext ({tmp_path}/a.c:1): it has no body"
    assert [each.function for each in verified.functions] == ["f"]
    shown = show(verified.directory, None)
    assert f"  assumed, not proved: {assumption}" in shown
    assert shown[-1] == f"verdict: safe, if what is assumed is true ({verified.directory})"


def test_what_is_left_out_is_assumed_too(tmp_path: Path) -> None:
    text = EXT.replace(";\n", " { return 1; }\n") + CALLER
    assert proof(tmp_path, {"a.c": text}).summary["assumptions"] == []
    verified = proof(tmp_path, {"a.c": text}, f"--function f --out {tmp_path}/alone")
    assert verified.summary["assumptions"] == [f"the contract of ext ({tmp_path}/a.c:1): --function leaves it out"]


def test_a_body_in_another_file_is_proved(tmp_path: Path) -> None:
    texts = {"a.c": EXT + CALLER, "b.c": "int ext(int x) { return x; }\n"}
    verified = proof(tmp_path, texts)
    assert verified.verdict == "unsafe"
    assert verified.summary["assumptions"] == []


def test_several_files_may_declare_one_function(tmp_path: Path) -> None:
    texts = {"a.c": EXT + CALLER, "b.c": "typedef int whole;\n" + EXT.replace("int x", "whole x")}
    verified = proof(tmp_path, texts)
    assert verified.verdict == "safe"
    assert len(verified.summary["assumptions"]) == 1


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"a.c": EXT.replace("int x", "") + CALLER}, "a.c:1: ext: it is declared without the types of its parameters"),
        ({"a.c": EXT.replace("int ext", "__attribute__((weak)) int ext") + CALLER}, "a.c:1: ext: a weak function"),
        ({"a.c": EXT + CALLER, "b.c": EXT.replace("int x", "unsigned x")}, "a.c:1: ext: it is declared in several"),
        (
            {"b.c": "long ext(long x); long h(void) { return ext(1); }\n", "a.c": EXT + CALLER},
            "a.c:1: ext: it is declared in another way where it is called",
        ),
    ],
)
def test_what_cannot_be_known_for_certain_costs_the_callers(
    tmp_path: Path, texts: Mapping[str, str], message: str
) -> None:
    verified = proof(tmp_path, texts)
    assert verified.verdict == "unknown"
    (caller,) = verified.functions
    assert caller.reasons[0].startswith(f"ext is called: {tmp_path}/{message}")


def test_a_function_without_a_body_alone_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no function with a body has a contract"):
        proof(tmp_path, {"a.c": EXT})


def test_a_function_without_a_body_is_not_proved(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--function ext: it has no body"):
        proof(tmp_path, {"a.c": EXT + CALLER}, "--function ext")


def test_other_names_of_functions_are_told_apart(tmp_path: Path) -> None:
    """The contract of ``ext`` is about what the linker calls ``real``, and says nothing of what it calls ``ext``."""
    renamed = EXT.replace("(int x);", '(int x) __asm__("real");')
    other = 'int another(int x) __asm__("ext");\n'
    text = renamed + other + CALLER + CALLER.replace("int f", "int g").replace("ext", "another")
    verified = proof(tmp_path, {"a.c": text})
    assert [each.verdict for each in verified.functions] == ["safe", "unknown"]
