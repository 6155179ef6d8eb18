from __future__ import annotations

from typing import Any

import pytest

from unfork.logic.terms import build, fp
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term_table import symbol
from unfork.program.llvm.types import ArrayType, IntType, StructType
from unfork.world.kernel.known_functions import library

X = symbol("x", 64)
N = symbol("n", 32)


def signed(value: Any) -> int:
    assert isinstance(value, int)
    return value - (value >> 31 << 32)


# --- heap ---


def test_two_blocks_have_two_names(bench: Any) -> None:
    first, second = bench.result("malloc", 8), bench.result("malloc", 8)
    assert first != second
    assert second >> 40 == (first >> 40) + 1


def test_freeing_twice(bench: Any) -> None:
    block = bench.result("malloc", 8)
    bench.result("free", block)
    bench.call("free", block)
    assert bench.kinds == ["double-free"]


@pytest.mark.parametrize("shift", [1, 8])
def test_freeing_the_middle(bench: Any, shift: int) -> None:
    block = bench.result("malloc", 8)
    bench.call("free", block + shift)
    assert bench.kinds == ["invalid-free"]


def test_freeing_what_is_no_block(bench: Any) -> None:
    for pointer in (bench.place(4), bench.text("abc"), 0x1234):
        bench.call("free", pointer)
    assert bench.kinds == ["invalid-free"] * 3
    bench.outcomes.clear()
    bench.result("free", 0)
    assert bench.outcomes == []


def test_calloc_is_zero_and_malloc_is_not(bench: Any) -> None:
    assert bench.bytes_at(bench.result("calloc", 3, 4), 12) == bytes(12)
    assert bench.result("calloc", 1 << 40, 1 << 40) == 0
    block = bench.result("malloc", 4)
    assert bench.state.memory.objects[block >> 40].uninitialised_runs(0, 4)


def test_realloc_moves_when_it_grows(bench: Any) -> None:
    block = bench.result("calloc", 4, 1)
    bench.result("memset", block, 7, 4)
    moved = bench.result("realloc", block, 8)
    assert moved != block
    assert bench.bytes_at(moved, 4) == b"\7\7\7\7"
    bench.call("memset", block, 1, 1)
    assert bench.kinds == ["use-after-free"]


def test_realloc_moves_when_it_shrinks(bench: Any) -> None:
    block = bench.result("calloc", 8, 1)
    bench.result("memset", block, 7, 8)
    moved = bench.result("realloc", block, 4)
    assert moved != block
    assert bench.bytes_at(moved, 4) == b"\7\7\7\7"
    bench.call("memset", moved, 1, 5)
    assert bench.kinds == ["out-of-bounds"]


def test_realloc_of_null_and_to_nothing(bench: Any) -> None:
    block = bench.result("realloc", 0, 8)
    assert bench.result("realloc", block, 0) == 0
    bench.call("free", block)
    assert bench.kinds == ["double-free"]


def test_a_huge_request_is_null_and_a_large_one_is_a_limit(bench: Any) -> None:
    assert bench.result("malloc", (1 << 64) - 1) == 0
    assert bench.call("malloc", 1 << 40) == []
    assert [one.reason for one in bench.outcomes] == ["capacity"]


def test_posix_memalign_stores_the_block(bench: Any) -> None:
    place = bench.place(8)
    assert bench.result("posix_memalign", place, 64, 10) == 0
    assert int.from_bytes(bench.bytes_at(place, 8), "little") % 64 == 0


# --- memory ---


def test_memcmp_orders_as_unsigned_bytes(bench: Any) -> None:
    a, b = bench.constant(b"ab\xff"), bench.constant(b"ab\x01")
    assert signed(bench.result("memcmp", a, b, 2)) == 0
    assert signed(bench.result("memcmp", a, b, 3)) > 0


def test_memcmp_of_symbols_is_one_value(bench: Any) -> None:
    a, b = bench.place(3, data=b""), bench.constant(b"abc")
    symbols = bench.write_symbols(a, "s", 3)
    value = bench.result("memcmp", a, b, 3)
    for text in (b"abc", b"abd", b"aac", b"\xffbc"):
        found = signed(evaluate(value, Model(dict(zip(symbols, text, strict=True)))))
        assert (found > 0) - (found < 0) == (text > b"abc") - (text < b"abc")


def test_memset_with_symbols(bench: Any) -> None:
    place = bench.place(4, data=b"")
    bench.result("memset", place, N, 3)
    item = bench.state.memory.objects[place >> 40]
    assert evaluate(item.read(0, 4), Model({N: 0x1AB})) == 0x00ABABAB


def test_memchr_forks_on_symbolic_bytes(bench: Any) -> None:
    place = bench.place(2, data=b"")
    bench.write_symbols(place, "s", 2)
    results = [value for _, value in bench.call("memchr", place, ord("x"), 2)]
    assert sorted(results) == [0, place, place + 1]


# --- strings ---


def test_lengths(bench: Any) -> None:
    text = bench.text("hello")
    assert bench.result("strlen", text) == 5
    assert bench.result("strlen", text + 2) == 3
    assert bench.result("strnlen", text, 3) == 3


def test_a_string_without_end_is_out_of_bounds(bench: Any) -> None:
    bench.call("strlen", bench.constant(b"abc"))
    assert bench.kinds == ["out-of-bounds"]


def test_a_symbolic_string_forks_by_length(bench: Any) -> None:
    place = bench.place(4, data=b"")
    bench.write_symbols(place, "s", 3)
    assert sorted(value for _, value in bench.call("strlen", place)) == [0, 1, 2, 3]
    assert bench.outcomes == []


def test_copying_strings(bench: Any) -> None:
    target = bench.place(8)
    assert bench.result("strcpy", target, bench.text("abc")) == target
    assert bench.bytes_at(target, 4) == b"abc\0"
    bench.result("strcat", target, bench.text("de"))
    assert bench.bytes_at(target, 6) == b"abcde\0"
    bench.result("strncpy", target, bench.text("xy"), 5)
    assert bench.bytes_at(target, 6) == b"xy\0\0\0\0"
    bench.call("strcat", target, bench.text("1234567"))
    assert bench.kinds == ["out-of-bounds"]


def test_strncpy_copies_no_more_than_it_may(bench: Any) -> None:
    target = bench.place(3)
    bench.result("strncpy", target, bench.constant(b"abcdef"), 3)
    assert bench.bytes_at(target, 3) == b"abc"


@pytest.mark.parametrize(("a", "b"), [("abc", "abc"), ("abc", "abd"), ("ab", "abc"), ("", "x"), ("b", "a")])
def test_strcmp_of_constants(bench: Any, a: str, b: str) -> None:
    value = signed(bench.result("strcmp", bench.text(a), bench.text(b)))
    assert (value > 0) - (value < 0) == (a > b) - (a < b)


def test_strcmp_of_symbols_does_not_fork(bench: Any) -> None:
    place = bench.place(4, data=b"")
    symbols = bench.write_symbols(place, "s", 3)
    value = bench.result("strcmp", place, bench.text("no"))
    for text in (b"no\0", b"np\0", b"n\0\0", b"noo"):
        found = signed(evaluate(value, Model(dict(zip(symbols, text, strict=True)))))
        plain = text.split(b"\0")[0]
        assert (found > 0) - (found < 0) == (plain > b"no") - (plain < b"no")
    assert bench.outcomes == []


def test_strcmp_beyond_the_end_faults_only_where_it_reads_there(bench: Any) -> None:
    place = bench.place(2, data=b"")
    bench.write_symbols(place, "s", 2)
    bench.result("strcmp", place, bench.text("abc"))
    assert bench.kinds == ["out-of-bounds"]


def test_strncmp_stops_at_its_limit(bench: Any) -> None:
    assert bench.result("strncmp", bench.constant(b"ab"), bench.constant(b"ab"), 2) == 0
    assert bench.result("strncasecmp", bench.text("ABc"), bench.text("abD"), 2) == 0
    assert signed(bench.result("strcasecmp", bench.text("ABc"), bench.text("abD"))) < 0


def test_searching(bench: Any) -> None:
    text = bench.text("banana")
    assert bench.result("strchr", text, ord("n")) == text + 2
    assert bench.result("strrchr", text, ord("n")) == text + 4
    assert bench.result("strchr", text, ord("x")) == 0
    assert bench.result("strchr", text, 0) == text + 6
    assert bench.result("strstr", text, bench.text("nan")) == text + 2
    assert bench.result("strstr", text, bench.text("nab")) == 0
    assert bench.result("strspn", text, bench.text("ab")) == 2
    assert bench.result("strcspn", text, bench.text("n")) == 2
    assert bench.result("strpbrk", text, bench.text("xn")) == text + 2


def test_tokens(bench: Any) -> None:
    text = bench.place(10, data=b",ab,,c")
    comma = bench.text(",")
    assert bench.result("strtok", text, comma) == text + 1
    assert bench.result("strtok", 0, comma) == text + 5
    assert bench.result("strtok", 0, comma) == 0
    assert bench.bytes_at(text, 7) == b",ab\0,c\0"


def test_duplicates(bench: Any) -> None:
    block = bench.result("strdup", bench.text("hey"))
    assert bench.bytes_at(block, 4) == b"hey\0"
    assert bench.bytes_at(bench.result("strndup", bench.text("hey"), 2), 3) == b"he\0"


# --- characters and numbers ---


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("isalpha", str.isalpha),
        ("isdigit", str.isdigit),
        ("isspace", str.isspace),
        ("isupper", str.isupper),
        ("isalnum", str.isalnum),
    ],
)
def test_classes(bench: Any, name: str, expected: Any) -> None:
    for character in "aZ5 \t@[`{\x7f":
        assert bool(bench.result(name, ord(character))) == expected(character)


def test_cases(bench: Any) -> None:
    assert bench.result("tolower", ord("A")) == ord("a")
    assert bench.result("toupper", ord("z")) == ord("Z")
    value = bench.result("toupper", N)
    assert evaluate(value, Model({N: ord("q")})) == ord("Q")
    assert evaluate(value, Model({N: ord("-")})) == ord("-")


def test_class_tables_of_glibc(bench: Any) -> None:
    table = bench.result("__ctype_b_loc")
    pointer = int.from_bytes(bench.bytes_at(table, 8), "little")
    assert int.from_bytes(bench.bytes_at(pointer + 2 * ord("5"), 2), "little") & 0x800
    assert not int.from_bytes(bench.bytes_at(pointer + 2 * ord("x"), 2), "little") & 0x800


@pytest.mark.parametrize(
    ("text", "base", "value", "stop"),
    [
        ("42", 10, 42, 2),
        ("  -17x", 10, -17, 5),
        ("0x1F", 16, 31, 4),
        ("0x1F", 0, 31, 4),
        ("017", 0, 15, 3),
        ("zz", 36, 35 * 36 + 35, 2),
        ("abc", 10, 0, 0),
        ("0xg", 0, 0, 1),
        ("99999999999999999999", 10, 2**63 - 1, 20),
        ("-99999999999999999999", 10, -(2**63), 21),
    ],
)
def test_strtol(bench: Any, text: str, base: int, value: int, stop: int) -> None:
    place, end = bench.text(text), bench.place(8)
    found = bench.result("strtol", place, end, base)
    assert found - (found >> 63 << 64) == value
    assert int.from_bytes(bench.bytes_at(end, 8), "little") == place + stop


def test_atoi_of_symbolic_digits(bench: Any) -> None:
    place = bench.place(3, data=b"")
    symbols = bench.write_symbols(place, "d", 2)
    for one in symbols:
        bench.assume(build.ule(build.sub(one, 48, 8), 9, 8))
    found = bench.call("atoi", place)
    assert len(found) == 1
    assert evaluate(found[0][1], Model(dict(zip(symbols, b"73", strict=True)))) == 73


def test_strtod(bench: Any) -> None:
    place, end = bench.text(" -1.5e3x"), bench.place(8)
    assert fp.to_float(bench.result("strtod", place, end), "double") == -1500.0
    assert int.from_bytes(bench.bytes_at(end, 8), "little") == place + 7


def test_random_numbers_repeat(bench: Any) -> None:
    bench.result("srand", 5)
    first = [bench.result("rand") for _ in range(3)]
    bench.result("srand", 5)
    assert [bench.result("rand") for _ in range(3)] == first
    assert len(set(first)) == 3
    assert all(one < 1 << 31 for one in first)


# --- printing ---


def test_texts_are_printed_and_their_pointers_checked(bench: Any) -> None:
    assert bench.result("puts", bench.text("one")) == 0
    assert bench.result("putchar", (33, "i")) == 33
    assert bench.state.printed(1) == b"one\n!"
    bench.call("puts", (0, "p"))
    bench.call("puts", (bench.constant(b"abc"), "p"))
    assert bench.kinds == ["null-dereference", "out-of-bounds"]


def test_a_symbolic_text_is_printed_without_a_fork(bench: Any) -> None:
    place = bench.place(4, data=b"")
    bench.write_symbols(place, "s", 3)
    assert len(bench.call("puts", place)) == 1
    assert bench.state.printed(1) == b"?\n"


def test_all_that_formats_is_left_to_a_library() -> None:
    names = ("printf", "fprintf", "dprintf", "sprintf", "snprintf", "vprintf", "vsnprintf", "asprintf", "perror")
    assert all(library().find(name) is None for name in names)


# --- ends ---


def test_assertions_carry_their_text(bench: Any) -> None:
    bench.call("__assert_fail", bench.text("a < b"), bench.text("f.c"), 3, bench.text("main"))
    assert [(one.kind, one.message) for one in bench.faults] == [("assert", "a < b")]


def test_abort_is_an_error_or_an_end(bench: Any) -> None:
    bench.call("abort")
    assert bench.kinds == ["abort"]
    bench.limits.abort_is_error = False
    bench.outcomes.clear()
    bench.call("abort")
    assert [one.end for one in bench.outcomes] == ["abort"]


# --- inputs ---


def test_a_symbolic_array_has_a_symbol_per_element(bench: Any) -> None:
    place = bench.place(24, type=ArrayType(6, IntType(32)))
    bench.result("unfork_symbolic", place, 24, bench.text("re"))
    (made,) = bench.state.inputs
    assert [leaf.name for leaf, _ in made.leaves] == [f"re[{i}]" for i in range(6)]
    assert bench.state.memory.objects[place >> 40].read(8, 4) is symbol("re[2]", 32)


def test_a_slice_and_a_field_may_be_symbolic(bench: Any) -> None:
    kind = StructType((IntType(8), ArrayType(4, IntType(16)), IntType(64)))
    place = bench.place(24, type=kind, data=b"")
    bench.result("unfork_symbolic", place + 4, 4, bench.text("part"))
    bench.result("klee_make_symbolic", place + 16, 8, bench.text("last"))
    first, second = bench.state.inputs
    assert [(leaf.name, size) for leaf, size in first.leaves] == [("part[0]", 2), ("part[1]", 2)]
    assert [(leaf.name, size) for leaf, size in second.leaves] == [("last", 8)]
    assert bench.bytes_at(place, 4) == bytes(4)


def test_padding_is_part_of_an_input(bench: Any) -> None:
    place = bench.place(8, type=StructType((IntType(8), IntType(32))))
    bench.result("unfork_symbolic", place, 8, bench.text("s"))
    assert [(leaf.name, size) for leaf, size in next(iter(bench.state.inputs)).leaves] == [
        ("s.0", 1),
        ("s.pad1", 3),
        ("s.1", 4),
    ]


def test_names_are_unique_along_a_path(bench: Any) -> None:
    for _ in range(3):
        bench.result("klee_int", bench.text("x"))
    assert [one.name for one in bench.state.inputs] == ["x", "x#2", "x#3"]


def test_making_too_much_symbolic_is_out_of_bounds(bench: Any) -> None:
    bench.call("unfork_symbolic", bench.place(4), 5, bench.text("x"))
    assert bench.kinds == ["out-of-bounds"]


def test_an_assumption_cuts_and_an_infeasible_one_ends_the_path(bench: Any) -> None:
    bench.result("unfork_assume", build.ult(X, 5, 64))
    assert bench.chain.bounds(bench.state.path, X, 64) == (0, 4)
    assert bench.call("klee_assume", build.zext(build.ugt(X, 5, 64), 1, 64)) == []
    assert [one.end for one in bench.outcomes] == ["silent"]


def test_a_check_is_an_assertion(bench: Any) -> None:
    bench.result("unfork_check", build.ult(X, 5, 64))
    assert bench.kinds == ["assert"]


def test_klee_range_is_half_open(bench: Any) -> None:
    value = bench.result("klee_range", 3, 6, bench.text("r"))
    assert bench.chain.bounds(bench.state.path, value, 32) == (3, 5)
    bench.call("klee_range", 3, 3, bench.text("r"))
    assert bench.kinds == ["user"]


def test_klee_questions(bench: Any) -> None:
    block = bench.result("malloc", 12)
    assert bench.result("klee_get_obj_size", block + 3) == 12
    assert bench.result("klee_is_symbolic", X) == 1
    assert bench.result("klee_is_symbolic", 3) == 0
    bench.assume(build.eq(X, 9, 64))
    assert bench.result("klee_get_valuel", X) == 9
    bench.call("klee_report_error", bench.text("f"), 1, bench.text("boom"), bench.text("x.err"))
    assert [(one.kind, one.message) for one in bench.faults] == [("user", "boom")]


@pytest.mark.parametrize("name", ["reach_error", "__VERIFIER_error"])
def test_reaching_the_error_wins_over_a_definition(bench: Any, name: str) -> None:
    assert library().override(name) is not None
    bench.call(name)
    assert bench.kinds == ["reach-error"]


def test_only_errors_are_overridden() -> None:
    modelled = library()
    assert all(modelled.override(name) is None for name in modelled.names() if "error" not in name)
    assert modelled.find("no_such_function") is None
    assert modelled.find("__VERIFIER_nondet_anything") is not None
