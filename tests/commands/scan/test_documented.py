"""Conditions on parameters in comments of functions, and which faults they rule out."""

from __future__ import annotations

from pathlib import Path

import pytest

from unfork.commands.projects.function_comments import CommentedText
from unfork.commands.scan.documented import ParameterNames, StatedLimit, conditions
from unfork.commands.scan.fault_needs import ArgumentNeed

NAMES = ParameterNames(("ctx", "buf", "length"), ("length",), ("buf",))
DECLARED = "void f(struct c *ctx, char *buf, unsigned length);\n"
Found = list[tuple[str, StatedLimit, int]]


def found_in(text: str, folder: Path) -> Found:
    """Parameter, limit and value of the conditions that a header states of ``f``."""
    file = folder / "header.h"
    file.write_text(text)
    source = CommentedText(file)
    stated = conditions(source.comments_of("f"), NAMES, source.macros)
    return [(each.parameter, each.limit, each.value) for each in stated]


@pytest.mark.parametrize(
    ("comment", "found"),
    [
        ("length must be a multiple of 16", [("length", StatedLimit.MULTIPLE, 16)]),
        ("LENGTH should be divisible by SECTOR.", [("length", StatedLimit.MULTIPLE, 512)]),
        ("buffer size MUST be mutile of AES_BLOCKLEN;", []),
        ("The length has to be at least four bytes", [("length", StatedLimit.AT_LEAST, 4)]),
        ("length must be greater than 0x10", [("length", StatedLimit.AT_LEAST, 17)]),
        ("length must not be greater than 10", [("length", StatedLimit.AT_MOST, 10)]),
        ("length must be less than 10", [("length", StatedLimit.AT_MOST, 9)]),
        ("length must be at most 0777", [("length", StatedLimit.AT_MOST, 511)]),
        ("length must be at most 0x20u bytes", [("length", StatedLimit.AT_MOST, 32)]),
        ("length: at most 16, as required", [("length", StatedLimit.AT_MOST, 16)]),
        ("caller: at most 64 KB of length", []),
        ("caller: at most 64KiB of length", []),
        ("caller: at most 1,024 bytes of length", []),
        ("caller: less than 2.5 MB of length", []),
        ("caller: length less than 10 times mode", []),
        ("caller: length no more than 50% of it", []),
        ("caller: length at least 128 bits", []),
        ("length must be at most 0800", []),
        ("length must be at most 64 KB", []),
        ("length must be at most 2 * SECTOR", [("length", StatedLimit.OTHER, 0)]),
        ("the length must be non-zero", [("length", StatedLimit.NOT_ZERO, 0)]),
        ("length must be positive", [("length", StatedLimit.AT_LEAST, 1)]),
        ("length must be a power of two", [("length", StatedLimit.POWER, 0)]),
        ("buf must be at least 32 bytes", [("buf", StatedLimit.AT_LEAST, 32)]),
        ("buf must be\n * 32 bytes long", [("buf", StatedLimit.AT_LEAST, 32)]),
        ("@param buf of length bytes, must not be NULL", [("buf", StatedLimit.NOT_NULL, 0)]),
        ("buf must be null-terminated", [("buf", StatedLimit.ENDED, 0)]),
        ("length need not necessarily have to be 4", []),
        ("buf should return nonzero", []),
        ("length must be lower than 2^16", [("length", StatedLimit.OTHER, 0)]),
        ("The old string is no longer valid, so that all references to it must be substituted", []),
        ("The caller must make sure that buf is large enough", [("buf", StatedLimit.OTHER, 0)]),
        ("buf must be valid", [("buf", StatedLimit.OTHER, 0)]),
        ("ctx must have been used, and it must already be initialized", [("ctx", StatedLimit.OTHER, 0)]),
        ("length must be the size of buf", [("length", StatedLimit.OTHER, 0)]),
        ("length should be one of those above", [("length", StatedLimit.OTHER, 0)]),
        ("length has to be in the range", [("length", StatedLimit.OTHER, 0)]),
        ("length must be sent first", []),
        ("buf must be large", []),
        ("buf must not be valid", []),
        ("The caller must provide buf", []),
        ("length must be at least 4 and a multiple of 2",
         [("length", StatedLimit.AT_LEAST, 4), ("length", StatedLimit.MULTIPLE, 2)]),
        ("Writes at least 4 bytes to buf", []),
        ("ctx must be freed by the caller", []),
        ("If length is greater than 4, all must be in buf", []),
        ("When the length is at least 4, it is sent", []),
        ("length, which is that of buf, must be at least 4", []),
        ("length must be at least 4 when buf is used", []),
        ("length must, unless ctx is set, be at least 4", []),
        ("buf must be valid while ctx is", []),
        ("length is not required to be at least 4", []),
        ("length need not be at least 4, as buf must be", []),
        ("length doesn't have to be a multiple of 4", []),
        ("length must not be a multiple of 4", []),
        ("length can't be larger than 10", []),
        ("length cannot be larger than 10", [("length", StatedLimit.AT_MOST, 10)]),
        ("buf must not be null-terminated", []),
        ("length must be zero or at least 4", []),
        ("length must be 4 or more, at least 4 or more", [("length", StatedLimit.AT_LEAST, 4)]),
        ("The buffer size must be at least 4", [("length", StatedLimit.AT_LEAST, 4)]),
        ("The key size must be at least 4", []),
        ("The size of a block is kept, of which a table must have at least 4", []),
        ("length is only sent by at least 4 bytes", []),
        ("A call takes a while. It must be made once", []),
    ],
)  # fmt: skip
def test_a_comment_states_conditions(comment: str, found: Found, tmp_path: Path) -> None:
    macro = "#define SECTOR 512 /* bytes */\n\n"
    assert found_in(f"{macro}/* {comment} */\n{DECLARED}", tmp_path) == found


def test_a_number_that_is_no_size_is_not_meant_by_one(tmp_path: Path) -> None:
    file = tmp_path / "header.h"
    file.write_text("/* The size must be at least 4 */\nvoid f(char *buf, unsigned flags);\n")
    names = ParameterNames(("buf", "flags"), ("flags",), ("buf",))
    assert not [*conditions(CommentedText(file).comments_of("f"), names, {})]


@pytest.mark.parametrize(
    ("text", "is_near"),
    [
        (f"// length must be at least 4\n{DECLARED}", True),
        (f"/* All.\n   length must be at least 4 */\n{DECLARED}", True),
        (f"/* length must be at least 4 */\nvoid g(int n);\n{DECLARED}", True),
        (f"/* length must be at least 4 */\nvoid g(int n);\n\n{DECLARED}", False),
        (f"/* length must be at least 4 */\n\n{DECLARED}", False),
        (f"/* length must be at least 4 */\nvoid g(int n);\n/* Mine. */\n{DECLARED}", False),
        (f"void g(int n); // length must be at least 4\n{DECLARED}", False),
        (f"{DECLARED[:-1]} // length must be at least 4\n", True),
        (f"/* length must be at least 4 */\nvoid g(int n);\n{DECLARED[:-1]} // mine\n", False),
        ("void f(struct c *ctx, char *buf, unsigned length /* must be at least 4 */);\n", False),
        ("void g(void) {\n  // length must be at least 4\n  f(0, 0, 4);\n}\n", False),
        ("int g(void) {\n  // length must be at least 4\n  return f(0, 0, 4);\n}\n", False),
    ],
)
def test_a_comment_belongs_to_the_declaration_below_it_or_beside_it(text: str, is_near: bool, tmp_path: Path) -> None:
    assert bool(found_in(text, tmp_path)) == is_near


def test_the_line_of_a_condition_is_safe_to_show(tmp_path: Path) -> None:
    file = tmp_path / "header.h"
    file.write_text(f"/* One.\n * length must be at least 4 \x1b[31m\u202e */\n{DECLARED}")
    source = CommentedText(file)
    [stated] = conditions(source.comments_of("f"), NAMES, {})
    assert stated.comment.line(stated.offset) == (file, 2, "* length must be at least 4 \\x1b[31m\\u202e */")


@pytest.mark.parametrize(
    ("comment", "need", "is_excluded"),
    [
        ("length must be a multiple of 48", ArgumentNeed("length", no_steps=(64, 32, 16)), True),
        ("length must be a multiple of 8", ArgumentNeed("length", no_steps=(64, 32, 16)), False),
        ("length must be at least 4", ArgumentNeed("length", least=0, most=3), True),
        ("length must be at least 4", ArgumentNeed("length", least=0, most=4), False),
        ("length must be at least 4", ArgumentNeed("length", least=0, most=2), True),
        ("length must be at least 4", ArgumentNeed("length", least=0, most=2, varies=True), False),
        ("length must be at least 4", ArgumentNeed("length", least=0, most=3, varies=True), True),
        ("length must be at most 4", ArgumentNeed("length", least=5, most=9), True),
        ("length must be at most 4", ArgumentNeed("length", least=4, most=9), False),
        ("length must not be zero", ArgumentNeed("length", least=0, most=0), True),
        ("length must not be zero", ArgumentNeed("length", least=0, most=1), False),
        ("length must be a power of two", ArgumentNeed("length", is_no_power=True), True),
        ("buf must be at least 8 bytes", ArgumentNeed("buf", is_object=True, least=0, most=7), True),
        ("buf must not be NULL", ArgumentNeed("buf", is_null=True), True),
        ("buf must not be NULL", ArgumentNeed("buf", is_object=True, least=0, most=7), False),
        ("buf must be NUL-terminated", ArgumentNeed("buf", is_object=True), True),
        ("buf must be NUL-terminated", ArgumentNeed("buf", is_object=True, is_text=True), False),
        ("buf must be large enough", ArgumentNeed("buf", is_null=True), False),
        ("buf must be large enough", ArgumentNeed("buf", is_object=True), True),
    ],
)
def test_a_condition_rules_out_what_breaks_it(
    comment: str, need: ArgumentNeed, is_excluded: bool, tmp_path: Path
) -> None:
    file = tmp_path / "header.h"
    file.write_text(f"/* {comment} */\n{DECLARED}")
    source = CommentedText(file)
    [stated] = conditions(source.comments_of("f"), NAMES, {})
    assert stated.excludes(need) == is_excluded
