"""Which functions a program stores in its variables."""

from __future__ import annotations

from tests.support.compiling import Compile
from unfork.program.facts.stored_functions import OF_CALLER, stored_at, stored_functions

HOOKS = """
#include <string.h>
typedef int (*hook)(int);
struct hooks { int level; hook before, after; };
static int none(int n) { return n; }
static int twice(int n) { return 2 * n; }
hook own = none, set = none, stored_by_callee = none, table[4] = {none}, taken, given;
struct hooks members = {0, none, none}, copied = {0, none, none}, through_local, returned, from_own = {0, none, none};
static const struct hooks defaults = {1, twice, twice};
void choose(int is_twice) { own = is_twice ? twice : none; }
void set_hook(hook f) { set = f ? f : none; }
void set_level(int level, hook f) { members.level = level; members.after = f; }
static void store(hook *to, hook f) { *to = f; }
void set_stored(hook f) { store(&stored_by_callee, f); }
void set_table(int at, hook f) { table[at & 3] = f; }
void copy(const struct hooks *from) { if (from) memcpy(&copied, from, sizeof copied); }
void set_local(hook f) { struct hooks local = {0, f, none}; through_local = local; }
struct hooks *get(void) { return &returned; }
void reset(void) { from_own = defaults; }
int use(int n) { return own(n) + set(n) + members.before(n) + from_own.after(n) + (taken == given); }
"""


def test_what_is_stored_in_variables(compile_c: Compile) -> None:
    program = compile_c(HOOKS)
    own = "own set stored_by_callee table members copied through_local returned from_own taken given".split()
    found = {name: dict(offsets) for name, offsets in stored_functions(program).items() if name in own}
    assert found == {
        "own": {0: {"none", "twice"}},
        "set": {0: {"none", OF_CALLER}},
        "stored_by_callee": {0: {OF_CALLER}},
        "table": {None: {OF_CALLER}},
        "members": {16: {OF_CALLER}},
        "copied": {None: {OF_CALLER}},
        "through_local": {8: {OF_CALLER}, 16: {"none"}},
        "returned": {None: {OF_CALLER}},
        "from_own": {None: {"twice"}},
    }
    assert [stored_at(program, "members", at) for at in (8, 16)] == [frozenset(), {OF_CALLER}]
    assert stored_at(program, "table", 24) == {OF_CALLER}


def test_recursion_that_goes_on_in_a_row_ends(compile_c: Compile) -> None:
    program = compile_c("""
typedef int (*hook)(int);
int twice(int n) { return 2 * n; }
hook row[4000];
void fill(hook *to, int n) { *to = twice; if (n) fill(to + 1, n - 1); }
void fill_row(int n) { fill(row, n); }
""")
    assert stored_at(program, "row", 8) == stored_at(program, "row", 31992) == {"twice"}
