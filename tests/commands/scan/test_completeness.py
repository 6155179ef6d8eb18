"""What a function counts as explored: completely, or in part with the first thing in the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands.scan.functions import explored_in
from unfork.cli import main
from unfork.commands.assemble import bounding

CASES = {
    "a callback that is not known": (
        "int f(int (*emit)(int), int n) { int s = emit(n); if (s > 3) n++; return n; }\n",
        "callback emit may be a function of the caller's",
    ),
    "a callback that a function stores": (
        "static int (*hook)(int);\nvoid set(int (*f)(int)) { hook = f; }\n"
        "int f(int n) { if (!hook) return 0; return hook(n) > 3 ? 1 : 2; }\n",
        "callback hook may be a function of the caller's",
    ),
    "a callback of the project's own": (
        "static int one(int n) { return n; }\nstatic int (*hook)(int);\nvoid set(void) { hook = one; }\n"
        "int f(int n) { if (!hook) return 0; return hook(n) > 3 ? 1 : 2; }\n",
        "",
    ),
    "an input that is empty": (
        "#include <stdio.h>\nint f(void) { if (getchar() == 'x') return 1; return 2; }\n",
        "getchar has one result here, at line 2",
    ),
    "a world of one kind": (
        "#include <unistd.h>\nint f(void) { if (isatty(0)) return 1; return 2; }\n",
        "isatty has one result here, at line 2",
    ),
    "an allocation that succeeds": (
        "#include <stdlib.h>\nvoid *f(void) { char *p = malloc(8); if (!p) return 0; *p = 1; return p; }\n",
        "",
    ),
    "pointers that may lead into one object": (
        "struct word { const char *text, *end, *at; };\nlong size(struct word *w) { return w->end - w->text; }\n"
        "int f(struct word *w) { if (w->at <= w->end) return 0; return *w->at == 1 ? 2 : 1; }\n",
        "pointers that may lead into one object are compared at line 3",
    ),
    "pointers into one object": (
        "int f(const char *p) { const char *q = p + 1; if (q == p) return 0; return *p > 'x' ? 1 : 2; }\n",
        "",
    ),
    "a test that cannot fail": ("int f(unsigned n) { if (n > 4) return 0; if (n > 5) return 1; return 2; }\n", ""),
    "a loop of constant length": (
        "int f(int n) { int s = 0; for (int i = 0; i < 4; i++) s ^= n; return s; }\n",
        "",
    ),
    "a function that ends the program": (
        "#include <stdlib.h>\nint f(int n) { if (n > 3) exit(1); if (n > 2) return 1; return 2; }\n",
        "",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_in_the_way(name: str, tmp_path: Path) -> None:
    text, reason = CASES[name]
    explored = explored_in(text, "f", tmp_path / "out")
    assert (explored.explored, explored.reason) == ("part" if reason else "all", reason)


def test_paths_that_are_given_up_for_want_of_memory_are_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounding, "_MEGABYTE", 1)
    file = tmp_path / "a.c"
    file.write_text("int f(int n, int m) { if (n > 3) m++; if (m > 4) n++; return n ^ m; }\n")
    words = ["--out", str(tmp_path / "out"), "--max-memory", "50", "--cores", "1", "--no-cache", "--quiet"]
    main(["scan", str(file), *words, "--no-progress"])
    [function] = json.loads((tmp_path / "out" / "scan.json").read_text())["functions"]
    assert function["explored"] == "part"
    assert "memory" in function["reason"]


def test_a_function_on_a_large_window_is_explored(tmp_path: Path) -> None:
    text = """struct decoder { unsigned char window[1 << 18]; unsigned at; };
int is_late(const struct decoder *d) { return d && d->at > 3 ? d->window[d->at & 3] : -1; }
"""
    assert explored_in(text, "is_late", tmp_path / "out").explored == "all"


def test_checks_of_the_compiler_are_no_branches(tmp_path: Path) -> None:
    text = "struct s { int a[4], n; };\nint f(struct s *s, int i, int n) { if (n > 3) s->a[i & 7]++; return n << i; }\n"
    explored = explored_in(text, "f", tmp_path / "out")
    assert {each.kind for each in explored.found} == {"out-of-bounds", "shift", "null-dereference"}
    assert (explored.covered, explored.edges) == (2, 2)
