"""What scans ask of functions that run alone: their results, sizes beside pointers, short copies, initial functions."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.support.runs import explore
from unfork.commands.run.run import Result
from unfork.errors import InputError

RESULT = """
#include <stdlib.h>
struct node { struct node *next; };
struct node *given(void) {
    struct node *first = malloc(sizeof *first);
    first->next = malloc(sizeof *first);
    first->next->next = 0;
    return first;
}
struct node *second(void) { return given()->next; }
int lost(void) { return given() != 0; }
"""
SIZED = "int at(const char *buf, unsigned n) { return buf[n]; }\n"
LAST = "int last(const char *buf, unsigned n) { return n ? buf[n - 1] : 0; }\n"
COUNTED = """
struct list { int *items; unsigned count; };
int at(const struct list *l, unsigned i) { return l->items && i < l->count ? l->items[i] : 0; }
int last(const struct list *l, unsigned i) { return !l->items || i > l->count - 1 ? 0 : l->items[i]; }
"""
COPY = "#include <string.h>\nint f(const char *s) { char copy[3]; strcpy(copy, s); return copy[0]; }\n"
HOOK = """
static int one(int n) { return n + 1; }
int two(int n) { return 1 / (n - n); }
static int (*hook)(int) = one;
void reset(void) { hook = 0; }
int call(int n) { return hook ? hook(n) : 0; }
"""

EIGHT = "int sum(int *a, int *b, int *c, int *d, int *e, int *f, int *g, int *h) { "
EIGHT += "return *a + *b + *c + *d + *e + *f + *g + *h; }\n"
TESTED = "int both(int *a, int *b) { int n = 0; if (a) n += *a; if (b) n += *b; return n; }\n"

PROMISES = """
__attribute__((nonnull(1))) int both(const int *p, const int *q) { return *p - *q; }
int beyond(const int p[static 4]) { return p[4]; }
"""


def run(text: str, folder: Path, function: str, *words: str) -> Result:
    (folder / "alone.c").write_text(text)
    return explore(folder / "alone.c", folder / "run", "--function", function, *words)


@pytest.mark.parametrize(("function", "kinds"), [("given", []), ("second", ["leak"]), ("lost", ["leak"])])
def test_what_a_result_leads_to_is_no_leak(tmp_path: Path, function: str, kinds: list[str]) -> None:
    result = run(RESULT, tmp_path, function, "--check", "leak")
    assert [one.kind for one in result.errors] == kinds


@pytest.mark.parametrize(("text", "function", "paths"), [(EIGHT, "sum", 9), (TESTED, "both", 4)])
def test_pointers_that_no_code_tests_are_null_one_at_a_time(
    tmp_path: Path, text: str, function: str, paths: int
) -> None:
    result = run(text, tmp_path, function, "--sizes", "pair", "--tests", "paths", "--all-errors")
    assert len(result.tests) == paths


@pytest.mark.parametrize(("text", "function", "is_beyond"), [(SIZED, "at", True), (LAST, "last", False)])
def test_a_size_says_how_many_bytes_there_are(tmp_path: Path, text: str, function: str, is_beyond: bool) -> None:
    words = ("--sizes", "pair", "--all-errors", "--max-size", "8", "--strategy", "plain")
    result = run(text, tmp_path, function, *words)
    assert ("out-of-bounds" in {one.kind for one in result.errors}) == is_beyond
    assert result.summary["exhausted"]


@pytest.mark.parametrize(("function", "is_beyond"), [("at", False), ("last", True)])
def test_a_member_says_how_many_elements_there_are(tmp_path: Path, function: str, is_beyond: bool) -> None:
    words = ("--sizes", "pair", "--all-errors", "--max-size", "8", "--strategy", "plain")
    result = run(COUNTED, tmp_path, function, *words)
    assert ("out-of-bounds" in {one.kind for one in result.errors}) == is_beyond
    assert result.summary["exhausted"]
    assert "l->items has as many elements as l->count says" in result.summary["assumptions"]


def test_a_copy_looks_at_no_more_of_a_text_than_there_is_room(tmp_path: Path) -> None:
    found = {}
    for size in ("8", "64"):
        folder = tmp_path / size
        folder.mkdir()
        result = run(COPY, folder, "f", "--all-errors", "--max-size", size, "--strategy", "plain")
        assert {one.kind for one in result.errors} == {"null-dereference", "out-of-bounds"}
        found[size] = result.summary["paths"]
    assert found["8"] == found["64"]
    assert found["8"]["completed"] == 5  # no text, one of 0, 1, 2, or more bytes


def test_a_variable_leads_to_the_function_that_it_has_at_first(tmp_path: Path) -> None:
    words = ("--globals", "symbolic", "--all-errors", "--strategy", "plain")
    result = run(HOOK, tmp_path, "call", *words)
    assert result.errors == ()
    assert result.summary["exhausted"]
    assert "hook is null, or the function that it is at first" in result.summary["assumptions"]
    assert result.summary["paths"]["completed"] == 2


@pytest.mark.parametrize(
    ("function", "sizes", "kinds"),
    [
        ("both", "ignore", {"null-dereference": 1}),
        ("beyond", "ignore", {}),
        ("beyond", "pair", {"out-of-bounds": 1}),
    ],
)
def test_attributes_of_arguments_are_taken_at_their_word(
    tmp_path: Path, function: str, sizes: str, kinds: dict[str, int]
) -> None:
    words = ("--sizes", sizes, "--all-errors", "--strategy", "plain")
    result = run(PROMISES, tmp_path, function, *words)
    assert Counter(each.kind for each in result.errors) == kinds
    assert result.summary["exhausted"]
    assert "p is not null (its attribute)" in result.summary["assumptions"]


def test_a_function_that_must_be_there_and_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the argument f is not null, but nothing of its type is here"):
        run("__attribute__((nonnull)) int f(long (*f)(int)) { return f(1) > 0; }\n", tmp_path, "f")
