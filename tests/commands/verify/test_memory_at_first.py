"""What memory a proof begins with: variables hold anything, and pointers may lead to the same memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.runs import written
from unfork.cli import parse
from unfork.commands.verify.verify import Verified, verify

WRONG = {
    "a static variable of the function": """
        /*@ ensures \\result == 0; */
        int f(void) { static int calls; return calls ? 1 : 0; }
    """,
    "a pointer in a variable": """
        int *pointer;
        /*@ ensures \\result == \\result; */
        int f(void) { return pointer ? *pointer : 0; }
    """,
    "a pointer to a variable": """
        int number;
        /*@ requires \\valid(p); ensures \\result == 1; */
        int f(int *p) { *p = 1; number = 2; return *p; }
    """,
    "a pointer and a member": """
        struct list { int *items; };
        /*@ requires \\valid(l) && \\valid(l->items) && \\valid(p); ensures \\result == 1; */
        int f(struct list *l, int *p) { *p = 1; *l->items = 2; return *p; }
    """,
    "a pointer into a struct": """
        struct pair { int first, second; };
        /*@ requires \\valid(s) && \\valid(p); ensures \\result == 1; */
        int f(struct pair *s, int *p) { *p = 1; s->second = 2; return *p; }
    """,
    "a list that is a ring": """
        struct node { struct node *next; int value; };
        /*@ requires \\valid(n) && \\valid(n->next); ensures \\result == 1; */
        int f(struct node *n) { n->value = 1; n->next->value = 2; return n->value; }
    """,
    "separated in part": """
        struct pair { int first, second; };
        /*@ requires \\valid(s) && \\valid(p + (0 .. 9)) && \\separated(s, p + (0 .. 8)); ensures \\result == 1; */
        int f(struct pair *s, int *p) { p[9] = 1; s->second = 2; return p[9]; }
    """,
}
RIGHT = {
    "a pointer apart from a variable": """
        int number;
        /*@ requires \\valid(p) && \\separated(p, &number); ensures \\result == 1; */
        int f(int *p) { *p = 1; number = 2; return *p; }
    """,
    "a pointer apart from a struct": """
        struct pair { int first, second; };
        /*@ requires \\valid(s) && \\valid(p + (0 .. 9)) && \\separated(s, p + (0 .. 9)); ensures \\result == 1; */
        int f(struct pair *s, int *p) { p[9] = 1; s->second = 2; return p[9]; }
    """,
    "types that never share memory": """
        struct pair { int first, second; };
        /*@ requires \\valid(s) && \\valid(p); ensures \\result == 1; */
        int f(struct pair *s, long *p) { *p = 1; s->second = 2; return *p; }
    """,
    "variables as they are required": """
        static int depth, sizes[4];
        /*@ requires 0 <= depth < 4 && \\forall integer k; 0 <= k < 4 ==> 0 < sizes[k];
            ensures \\result > 0; */
        int f(void) { return sizes[depth]; }
    """,
}


def verified(source: str, folder: Path) -> Verified:
    file = written(source, folder)
    return verify([file], parse(("verify", str(file), "--quiet", "--out", str(folder / "out")))[1])


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_not_safe(name: str, tmp_path: Path) -> None:
    assert verified(WRONG[name], tmp_path).verdict != "safe"


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_safe(name: str, tmp_path: Path) -> None:
    assert verified(RIGHT[name], tmp_path).verdict == "safe"
