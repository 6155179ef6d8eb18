"""What calls show of their arguments: pointers that are surely not null, and sizes that belong to objects."""

from __future__ import annotations

from pathlib import Path

import pytest

from unfork.commands.assemble.building import build_for_run, given
from unfork.options.options import Options
from unfork.program.facts.call_sites import call_sites
from unfork.program.facts.passed_sizes import SizeRelation

HEAD = """\
struct pair { int left; struct pair *next; };
extern struct pair *some(void);
int taken(struct pair *pair) { return pair->left; }
"""


@pytest.mark.parametrize(
    ("text", "is_object"),
    [
        ("int f(void) { struct pair here = {1}; return taken(&here); }", True),
        ("static struct pair there;\nint f(void) { return taken(&there); }", True),
        ("int f(struct pair *p) { return taken(p); }", False),
        ("int f(struct pair *p) { return p ? taken(p) : 0; }", True),
        ("int f(struct pair *p) { if (!p) return 0; return taken(p); }", True),
        ("int f(struct pair *p) { int n = 0; if (p) n = p->left; return n + taken(p); }", False),
        ("int f(struct pair *p) { return taken(p->next); }", False),
        ("int f(void) { return taken(some()); }", False),
        ("int f(void) { struct pair *p = some(); return p ? taken(p) : 0; }", True),
        ("int f(int n) { struct pair one = {1}, two = {2}; return taken(n ? &one : &two); }", True),
        ("int f(int n) { struct pair one = {1}; return taken(n ? &one : 0); }", False),
        ("static int g(struct pair *p) { return taken(p); }\nint f(void) { struct pair p = {1}; return g(&p); }", True),
        ("int g(struct pair *p) { return taken(p); }\nint f(void) { struct pair p = {1}; return g(&p); }", False),
        ("int f(struct pair *p, int n) { struct pair *q = p, *r; for (r = some(); n--; q = r, r = some())\n"
         "  if (r) p = q; else return n > 3 ? 0 : taken(q); return 0; }", False),
        ("__attribute__((nonnull)) int f(struct pair *p) { return taken(p); }", True),
    ],
)  # fmt: skip
def test_a_call_passes_an_object(text: str, is_object: bool, tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(f"{HEAD}{text}\n")
    program = build_for_run(Options(function="f"), given([str(file)]))
    [call] = call_sites(program)["taken"]
    assert call.objects == ({"pair"} if is_object else set())


TAKING = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct block { unsigned char *data; size_t len; };
extern size_t some(void);
int taken(const char *text, size_t limit) { return text[limit - 1]; }
struct tail { size_t len; char data[]; };
static char table[10];
extern char outside[];
extern struct tail tailed;
"""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("int f(void) { char b[64] = {0}; return taken(b, sizeof b); }", "derived"),
        ("int f(void) { char b[64] = {0}; return taken(b, 5); }", "within"),
        ("int f(void) { char b[64] = {0}; return taken(b, 65); }", "beyond"),
        ("int f(void) { char b[64] = {0}; return taken(b, some()); }", None),
        ("int f(void) { char b[64] = {0}; return taken(b + 4, 60); }", "derived"),
        ("int f(void) { return taken(table, 10); }", "derived"),
        ("int f(void) { return taken(table + 2, 9); }", "beyond"),
        ("int f(const char *s) { return taken(s, strlen(s)); }", "derived"),
        ("int f(const char *s) { return taken(s, strlen(s) + 1); }", "derived"),
        ("int f(const char *s) { return taken(s, strlen(s) + 2); }", None),
        ("int f(const char *s, const char *t) { return taken(s, strlen(t)); }", None),
        ("int f(char **v) { return taken(v[1], strlen(v[1])); }", "derived"),
        ("int f(void) { return taken(\"hello\", 5); }", "derived"),
        ("int f(void) { return taken(\"hello\", 3); }", "within"),
        ("int f(int n) { return taken(n ? \"abc\" : \"defgh\", 5); }", "beyond"),
        ("int f(size_t n) { char *p = malloc(n); int r = p ? taken(p, n) : 0; free(p); return r; }", "derived"),
        ("int f(size_t n) { char *p = malloc(n); int r = p ? taken(p, n + 1) : 0; free(p); return r; }", None),
        ("int f(size_t n) { char *p = calloc(n, 1); int r = p ? taken(p, n) : 0; free(p); return r; }", "derived"),
        ("int f(FILE *s) { char b[64]; size_t n = fread(b, 1, sizeof b, s); return taken(b, n); }", "derived"),
        ("int f(FILE *s) { char b[64]; size_t n = fread(b, 1, sizeof b, s); return taken(b, n + 1); }", None),
        ("static int read(void) { return some(); }\nint f(void) { return taken(table, read()); }", None),
        ("extern int read(void);\nint f(void) { return taken(table, read()); }", None),
        ("extern int recv(char *p);\nint f(void) { return taken(table, recv(table)); }", None),
        ("int read(int n, char *p, int m) { return n + m + *p; }\n"
         "int f(int n) { return taken(table, read(n, table, 3)); }", None),
        ("int f(int n) { char b[16]; int m = sprintf(b, \"%d\", n); return taken(b, m); }", "derived"),
        ("int f(const struct block *b) { return taken((char *)b->data, b->len); }", None),
        ("int f(const struct block *b) { int s = 0; for (size_t i = 0; i < b->len; i++) s += b->data[i];\n"
         "  return s + taken((char *)b->data, b->len); }", "derived"),
        ("int f(void) { struct { int a; char b[16]; int c; } q = {0}; return taken(q.b, sizeof q.b); }", "derived"),
        ("int f(void) { struct { char a[4]; int b; } q = {0}; return taken((char *)&q, sizeof q); }", "derived"),
        ("int f(void) { char *p = malloc(64); int r = p ? taken(p, 0) : 0; free(p); return r; }", "within"),
        ("int f(void) { return taken(outside, 4); }", None),
        ("int f(void) { return taken(outside + 8, 4); }", None),
        ("int f(void) { return taken(tailed.data, 4); }", None),
        ("int f(void) { return taken(tailed.data + 2, 4); }", None),
        ("int f(const char *s, size_t n) { return taken(s, n); }", "within"),
        ("int f(const char *s, size_t n) { return taken(s, n); }\n"
         "int g(const char *s) { return f(s, strlen(s)); }", "derived"),
        ("int f(const char *s, size_t n) { return taken(s, n); }\nint g(void) { return f(table, 11); }", "beyond"),
    ],
)  # fmt: skip
def test_a_call_derives_a_size(text: str, shown: str | None, tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(f"{TAKING}{text}\n")
    program = build_for_run(Options(function="f"), given([str(file)]))
    [call] = call_sites(program)["taken"]
    assert call.relation("text", "limit") == (None if shown is None else SizeRelation(shown))


def test_a_call_shows_its_rooms_and_constants_and_what_it_passes_on(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(f"{TAKING}int f(const char *s, size_t n) {{ return taken(s, n) + taken(table, 4); }}\n")
    program = build_for_run(Options(function="f"), given([str(file)]))
    first, second = call_sites(program)["taken"]
    assert (first.caller, first.forwarded) == ("f", {("text", "s"), ("limit", "n")})
    assert (first.rooms, first.constants) == (set(), set())
    assert (second.rooms, second.constants) == ({("text", 10)}, {("limit", 4)})
