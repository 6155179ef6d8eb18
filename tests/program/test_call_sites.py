"""Which pointers calls pass that are surely not null."""

from __future__ import annotations

from pathlib import Path

import pytest

from unfork.commands.assemble.building import build_for_run, given
from unfork.options.options import Options
from unfork.program.facts.call_sites import call_sites

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
