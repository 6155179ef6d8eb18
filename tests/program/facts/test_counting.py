"""Which members of a struct count what another one points to, by the code that uses them."""

from __future__ import annotations

import pytest

from tests.support.compiling import Compile
from unfork.program.facts.counting import counting_members
from unfork.program.facts.struct_members import member_at, tail_of

STRUCTS = """
struct list { int *items; unsigned count, room; char *text; };
struct outer { long first; struct list list; };
void note(int *, int);
"""
LOOP = "int loop(struct list *l) { int s = 0; for (unsigned i = 0; i < l->count; i++) s += l->items[i]; return s; }\n"
GUARD = "int guard(struct list *l, unsigned i) { if (i >= l->count) return 0; return l->items[i]; }\n"
LESS_ONE = "int less(struct list *l, unsigned i) { if (i > l->count - 1) return 0; return l->items[i]; }\n"
DOWN = (
    "int down(struct list *l) { int s = 0; for (unsigned i = l->count; i > 0; i--) s += l->items[i - 1]; return s; }\n"
)
PAIRS = "int p(struct list *l) { int s = 0; for (int i = 0; i + 1 < l->count; i++) s += l->items[i + 1]; return s; }\n"
INNER = "int inner(struct outer *o, unsigned i) { return i < o->list.count ? o->list.items[i] : 0; }\n"
PUSH = "void push(struct list *l, int x) { if (l->count < l->room) l->items[l->count++] = x; }\n"
END = "int *end(struct list *l, int *p) { return p < l->items + l->count ? p : 0; }\n"
ADDED = "void added(struct list *l, int x) { l->items[l->count++] = x; }\n"
PASSED = "void passed(struct list *l, unsigned n) { note(l->items + l->count + n, 1); }\n"
NEXT = "int next(struct list *l) { int s = 0; for (int i = 0; i < l->count; i++) s += l->items[i + 1]; return s; }\n"
TO_COUNT = "int le(struct list *l) { int s = 0; for (int i = 0; i <= l->count; i++) s += l->items[i]; return s; }\n"
ROWS = "int at(struct list *l, unsigned y, unsigned x) { return l->items[y * l->count + x]; }\n"
MET = "int met(struct list *l, unsigned i) { if (i < l->count) note(0, 1); return l->items[i]; }\n"
OTHER = "int other(struct list *l, unsigned i, unsigned j) { return i < l->count ? l->items[j] : 0; }\n"
TEXT = "int text(struct list *l, unsigned i) { return i < l->count ? l->text[i] : 0; }\n"
BYTES = "int b(struct list *l, unsigned i) { return i < l->count ? ((unsigned char *)l->items)[i] : 0; }\n"
MADE = """
void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void *realloc(void *, unsigned long);
int make(struct list *l, unsigned n) {
  int *items = malloc(n * sizeof *items); if (!items) return 0; l->items = items; l->count = n; return 1;
}
"""
CLEARED = MADE.replace("malloc(n * sizeof *items)", "calloc(n, sizeof *items)") + (
    "void clear(struct list *l) { l->items = 0; l->count = 0; }\n"
)
GROWN = (
    MADE
    + """
int grow(struct list *l, unsigned n) {
  int *items = realloc(l->items, sizeof *items * n); if (!items) return 0; l->items = items; l->count = n; return 1;
}
"""
)
MORE = MADE.replace("malloc(n", "malloc((n + 1ul)")
FEWER = MADE + "void forget(struct list *l) { l->count = 0; }\n"
ELSEWHERE = MADE + "void borrow(struct list *l, int *p) { l->items = p; }\n"
COUNTED = MADE + "void counted(struct list *l, unsigned n) { l->count = n; }\n"
GIVEN = MADE + "void set(unsigned *); void given(struct list *l) { set(&l->count); }\n"
ENDED = """
struct text { const char *start, *at, *end; int size; };
int next(struct text *t) { return t->at < t->end ? *t->at++ : -1; }
"""
BEGUN = ENDED + "void begin(struct text *t) { t->at = t->start; t->end = t->start + t->size; }\n"
BEGUN_LESS = BEGUN.replace("t->size;", "t->size - 1;")


SLICE = "struct slice { char *at; unsigned long size; }; int first(struct slice s) { return s.size ? s.at[0] : 0; }\n"
SLICE_END = "int last(struct slice s) { return s.at[s.size]; }\n"
SLICE_COPIED = "void cut(struct slice *s) { s->at[s->size] = 0; }\n"
SLICE_KEY = SLICE.replace("size", "key")
SLICE_MORE = SLICE.replace("long size;", "long size; unsigned long seen;")


@pytest.mark.parametrize(
    ("code", "is_counted"),
    [
        (SLICE, True),
        (SLICE + SLICE_END, False),
        (SLICE + SLICE_COPIED, False),
        (SLICE_KEY, False),
        (SLICE_MORE, False),
        (SLICE.replace("struct slice s", "struct slice *p").replace("s.", "p->"), False),
    ],
    ids=["by value", "a NUL behind", "room behind", "no size", "a third member", "by address"],
)
def test_a_struct_by_value_says_how_many_bytes_it_has(compile_c: Compile, code: str, is_counted: bool) -> None:
    program = compile_c(code)
    record = program.c_types.named("%struct.slice", 24 if "seen" in code else 16)
    assert record is not None
    start = member_at(program.c_types, record, 0)
    assert start is not None
    assert counting_members(program).get(start) == ({8} if is_counted else None)


@pytest.mark.parametrize(
    ("code", "offsets"), [(ENDED, None), (BEGUN, {24}), (BEGUN_LESS, None)], ids=["no sum", "the end", "less one"]
)
def test_a_sum_that_is_kept_as_an_end_shows_the_count(compile_c: Compile, code: str, offsets: set[int] | None) -> None:
    program = compile_c(code)
    record = program.c_types.named("%struct.text", 32)
    assert record is not None
    start = member_at(program.c_types, record, 0)
    assert start is not None
    assert counting_members(program).get(start) == offsets


@pytest.mark.parametrize(
    ("code", "counts"),
    [
        (TO_COUNT + MADE, {".count"}),
        (TO_COUNT + CLEARED, {".count"}),
        (TO_COUNT + GROWN, {".count"}),
        (ROWS + MADE, {".count"}),
        (TO_COUNT + MORE, set()),
        (TO_COUNT + FEWER, set()),
        (TO_COUNT + ELSEWHERE, set()),
        (TO_COUNT + COUNTED, set()),
        (TO_COUNT + GIVEN, set()),
        (LOOP, {".count"}),
        (GUARD, {".count"}),
        (LESS_ONE, {".count"}),
        (PAIRS, {".count"}),
        (LOOP + DOWN + END, {".count"}),
        (INNER, {".count"}),
        (PUSH, {".room"}),
        (LOOP + PUSH, {".room"}),
        (LOOP + ADDED, set()),
        (LOOP + PASSED, set()),
        (LOOP + NEXT, set()),
        (LOOP + TO_COUNT, set()),
        (LOOP + ROWS, set()),
        (LOOP + BYTES, set()),
        (MET, set()),
        (OTHER, set()),
        (TEXT, set()),
    ],
)
def test_code_shows_what_counts(compile_c: Compile, code: str, counts: set[str]) -> None:
    program = compile_c(STRUCTS + code)
    record = program.c_types.named("%struct.list", 24)
    assert record is not None
    cells = program.c_types.cells(record)
    assert cells is not None
    pointer = member_at(program.c_types, record, 0)
    found = counting_members(program)
    assert found.keys() <= {pointer}
    assert {cell.path for cell in cells.cells if cell.offset in found.get(pointer, ())} == counts


BYTES_PASSED = """
struct bytes { const unsigned char *data; unsigned long size, room; };
struct text { const char *data; unsigned long size, room; };
struct holder { long first; struct bytes inner; };
int memcmp(const void *, const void *, unsigned long); void *memchr(const void *, int, unsigned long);
unsigned long strlen(const char *); char *strchr(const char *, int);
unsigned sum(const unsigned char *p, unsigned long n) { return n ? p[0] : 0; }
unsigned flagged(const unsigned char *p, unsigned flags) { return flags ? p[0] : 0; }
"""
COMPARED = "int compared(struct bytes *b, void *p) { return memcmp(b->data, p, b->size); }\n"
SUMMED = "unsigned summed(struct holder *h) { return sum(h->inner.data, h->inner.size); }\n"
FLAGS = "unsigned flags(struct bytes *b) { return flagged(b->data, b->size); }\n"
SEARCHED = "char *searched(struct bytes *b) { return strchr((const char *)b->data, '%'); }\n"
TWO = "int two(struct bytes *b, struct bytes *c) { return memcmp(b->data, c, c->size); }\n"
APPENDED = "int a(struct bytes *b, void *p, unsigned long n) { return memcmp(b->data + b->size, p, n); }\n"
IN_TEXT = "void *found(struct text *t) { return memchr(t->data, ' ', t->size); }\n"
MEASURED = "unsigned long measured(struct text *t) { return strlen(t->data); }\n"


@pytest.mark.parametrize(
    ("code", "record", "counts"),
    [
        (COMPARED, "bytes", {8}),
        (SUMMED, "bytes", {8}),
        (COMPARED + SEARCHED, "bytes", {8}),
        (FLAGS, "bytes", None),
        (TWO, "bytes", None),
        (COMPARED + APPENDED, "bytes", None),
        (IN_TEXT, "text", {8}),
        (IN_TEXT + MEASURED, "text", None),
    ],
    ids=["C", "own", "searched", "flags", "another's", "appended", "characters", "text"],
)
def test_bytes_that_are_passed_with_their_number_are_counted(
    compile_c: Compile, code: str, record: str, counts: set[int] | None
) -> None:
    program = compile_c(BYTES_PASSED + code)
    kind = program.c_types.named(f"%struct.{record}", 24)
    assert kind is not None
    data = member_at(program.c_types, kind, 0)
    assert data is not None
    assert counting_members(program).get(data) == counts


TAILS = """
struct tail { unsigned count, room; int items[]; };
struct wide { long first; struct tail tail; };
struct text { unsigned count; char text[]; };
void note(const char *);
"""
T_LOOP = "int loop(struct tail *l) { int s = 0; for (unsigned i = 0; i < l->count; i++) s += l->items[i]; return s; }\n"
T_INNER = "int inner(struct wide *w, unsigned i) { return i < w->tail.count ? w->tail.items[i] : 0; }\n"
T_PUSH = "void push(struct tail *l, int x) { if (l->count < l->room) l->items[l->count++] = x; }\n"
T_ADDED = "void added(struct tail *l, int x) { l->items[l->count++] = x; }\n"
T_NEXT = "int next(struct tail *l) { int s = 0; for (int i = 0; i < l->count; i++) s += l->items[i + 1]; return s; }\n"
T_TEXT = "int text(struct text *t, unsigned i) { return i < t->count ? t->text[i] : 0; }\n"
T_PASSED = "void passed(struct text *t) { note(t->text); }\n"


@pytest.mark.parametrize(
    ("code", "counts"),
    [
        (T_LOOP, {0}),
        (T_INNER, {0}),
        (T_PUSH, {4}),
        (T_LOOP + T_ADDED, set()),
        (T_LOOP + T_NEXT, set()),
        (T_TEXT, {0}),
        (T_TEXT + T_PASSED, set()),
    ],
)
def test_code_shows_what_counts_a_flexible_array(compile_c: Compile, code: str, counts: set[int]) -> None:
    program = compile_c(TAILS + code)
    found = counting_members(program)
    assert all(each == tail_of(program.c_types, each.record) for each in found)
    assert [set(offsets) for offsets in found.values()] == ([counts] if counts else [])
