"""Which parameters end a range of the object that another one leads to, by the code that uses them."""

from __future__ import annotations

import pytest

from tests.support.compiling import Compile
from unfork.program.facts.pointer_places import PassedCursor
from unfork.program.facts.pointer_ranges import pointer_ranges

LOOP = "int f(const char *p, const char *end) { int s = 0; while (p != end) s += *p++; return s; }\n"
BELOW = "int f(const char *p, const char *end) { return p < end ? *p : 0; }\n"
ABOVE = "int f(const char *p, const char *end) { return end > p ? *p : 0; }\n"
LENGTH = "long f(const int *p, const int *end) { return end - p; }\n"
BACK = "long f(const char *p, const char *end) { while (end > p && end[-1] == ' ') end--; return end - p; }\n"
PASSED = BELOW + "int g(int n, const char *text, const char *stop) { return n + f(text, stop); }\n"
BETWEEN = "int f(const char *a, const char *p, const char *end) { return end - a > 3 && p < end ? *p : 0; }\n"
READ = "int f(const char *p, const char *end) { return p < end ? *p : *end; }\n"
GIVEN = "void note(const char *);\nint f(const char *p, const char *end) { note(end); return p < end; }\n"
KEPT = "const char *last;\nint f(const char *p, const char *end) { last = end; return p < end; }\n"
SAME = "int f(const char *p, const char *q) { return p == q; }\n"
COPIED = """
void f(char *to, const char *from, long n) {
  if (to < from) for (long i = 0; i < n; i++) to[i] = from[i];
  else while (n--) to[n] = from[n];
}
"""
RECURSIVE = "int f(const char *p, const char *end) { return p < end ? *p + f(p + 1, end) : 0; }\n"
SWAPPED = "void f(int *a, int *b, int *c, int n) { *a = n; if (a < b && n) f(b, c, a, n - 1); }\n"
LISTED = "struct n { struct n *next; };\nint f(struct n *a, struct n *b) { while (a != b) a = a->next; return 1; }\n"
READ_BELOW = READ + "int g(const char *text, const char *stop) { return text < stop ? f(text, stop) : 0; }\n"
TWO = "int f(const char *p, const char *a, const char *b) { return p < a && p < b; }\n"
CURSOR = "int f(const char **at, const char *end) { if (*at == end) return -1; return *(*at)++; }\n"
CURSORS = CURSOR + "int g(const char **at, const char *end) { return f(at, end) + f(at, end); }\n"
LOCAL = CURSOR + "int g(const char *text, const char *end) { const char *at = text; return f(&at, end); }\n"
READER = "struct reader { const char *at, *end, *begin; int line; };\n"
NEXT = READER + "int next(struct reader *r) { return r->at < r->end ? *r->at++ : -1; }\n"
NOT_BELOW = READER + "int next(struct reader *r) { if (r->at >= r->end) return -1; return *r->at++; }\n"
EQUAL = READER + "int next(struct reader *r) { if (r->at == r->end) return -1; return *r->at++; }\n"
SINCE = NEXT + "long since(struct reader *r) { return r->at - r->begin; }\n"
GIVES = READER + CURSOR + "int next(struct reader *r) { return f(&r->at, r->end); }\n"
PEEKED = NEXT + "int peek(struct reader *r) { return *r->end; }\n"
LATER = (
    NEXT + "struct other { const char *limit; };\nvoid set(struct other *o, struct reader *r) { o->limit = r->end; }\n"
)
READ_LATER = LATER + "int get(struct other *o) { return *o->limit; }\n"
LIST = (
    "struct node { struct node *next; };\nstruct list { struct node *head, *tail; };\n"
    "int one(struct list *l) { if (l->head == l->tail) return 1; l->head = l->head->next; return 0; }\n"
)


@pytest.mark.parametrize(
    ("code", "ends"),
    [
        pytest.param(LOOP, {"f": {1: (0,)}}, id="moves to it"),
        pytest.param(BELOW, {"f": {1: (0,)}}, id="lies below"),
        pytest.param(ABOVE, {"f": {1: (0,)}}, id="lies above"),
        pytest.param(LENGTH, {"f": {1: (0,)}}, id="distance"),
        pytest.param(BACK, {"f": {1: (0,)}}, id="read before it"),
        pytest.param(PASSED, {"f": {1: (0,)}, "g": {2: (1,)}}, id="passed on"),
        pytest.param(BETWEEN, {"f": {2: (0, 1)}}, id="one between"),
        pytest.param(READ, {}, id="read itself"),
        pytest.param(GIVEN, {}, id="given away"),
        pytest.param(KEPT, {}, id="kept"),
        pytest.param(SAME, {}, id="compared where both stay"),
        pytest.param(COPIED, {}, id="both accessed"),
        pytest.param(RECURSIVE, {"f": {1: (0,)}}, id="of a function that calls itself"),
        pytest.param(SWAPPED, {}, id="swapped in a call of itself"),
        pytest.param(LISTED, {}, id="nodes of a list"),
        pytest.param(READ_BELOW, {}, id="read in a callee"),
        pytest.param(TWO, {}, id="two ends"),
        pytest.param(CURSOR, {"f": {1: (PassedCursor(0),)}}, id="cursor by address"),
        pytest.param(CURSORS, {"f": {1: (PassedCursor(0),)}, "g": {1: (PassedCursor(0),)}}, id="cursor passed on"),
        pytest.param(LOCAL, {"f": {1: (PassedCursor(0),)}}, id="cursor of a caller"),
    ],
)
def test_ends_that_code_shows(
    compile_c: Compile, code: str, ends: dict[str, dict[int, tuple[int | PassedCursor, ...]]]
) -> None:
    assert pointer_ranges(compile_c(code)).parameters == ends


@pytest.mark.parametrize(
    ("code", "offsets"),
    [
        pytest.param(NEXT, (0, 8), id="lies below"),
        pytest.param(NOT_BELOW, (0, 8), id="does not lie below"),
        pytest.param(EQUAL, (0, 8), id="moves elsewhere"),
        pytest.param(SINCE, (16, 0, 8), id="begins before"),
        pytest.param(GIVES, (0, 8), id="given to a function"),
        pytest.param(PEEKED, (), id="read itself"),
        pytest.param(LATER, (0, 8), id="kept elsewhere"),
        pytest.param(READ_LATER, (), id="read elsewhere"),
        pytest.param(LIST, (), id="nodes of a list"),
    ],
)
def test_members_that_code_shows(compile_c: Compile, code: str, offsets: tuple[int, ...]) -> None:
    found = set(pointer_ranges(compile_c(code)).members.values())
    assert [tuple([each.offset for each in group]) for group in found] == ([offsets] if offsets else [])


LEXER = """
struct lexer { const char *start; const char *current; int line; };
char next(struct lexer *l) { l->current++; return l->current[-1]; }
int first(struct lexer *l) { return *l->start == *l->current; }
"""
SPAN = "long span(struct lexer *l) { return l->current - l->start; }\n"
CONTRARY = "long back(struct lexer *l) { return l->start - l->current; }\n"
SEGMENT = """
struct segment { const char *path, *segments, *begin, *end; };
int read(struct segment *s) { return *s->path + *s->segments + *s->begin + *s->end; }
long before(struct segment *s) { return s->begin - s->path; }
long root(struct segment *s) { return s->segments - s->path; }
long size(struct segment *s) { return s->end - s->begin; }
"""
TWO_BEGINS = SEGMENT.replace("s->segments - s->path", "s->end - s->segments")


@pytest.mark.parametrize(
    ("code", "cursors"),
    [
        pytest.param(LEXER + SPAN, {8: (0, {0})}, id="subtracted"),
        pytest.param(LEXER, {}, id="nothing shows it"),
        pytest.param(LEXER + SPAN + CONTRARY, {}, id="either may come first"),
        pytest.param(SEGMENT, {8: (0, {0}), 16: (0, {0}), 24: (0, {0, 16})}, id="one behind the other"),
        pytest.param(TWO_BEGINS, {16: (0, {0})}, id="behind two that begin"),
    ],
)
def test_cursors_that_code_shows(compile_c: Compile, code: str, cursors: dict[int, tuple[int, set[int]]]) -> None:
    found = pointer_ranges(compile_c(code)).cursors
    assert {
        member.offset: (cursor.begin.offset, {each.offset for each in cursor.before})
        for member, cursor in found.items()
    } == cursors
