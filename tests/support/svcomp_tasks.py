"""Small tasks as SV-COMP has them, with the verdict that its rules give each."""

from __future__ import annotations

from pathlib import Path

PROPERTY_FILES = {
    "unreach-call": "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
    "valid-memsafety": "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n"
    "CHECK( init(main()), LTL(G valid-memtrack) )\n",
    "valid-memcleanup": "CHECK( init(main()), LTL(G valid-memcleanup) )\n",
    "no-overflow": "CHECK( init(main()), LTL(G ! overflow) )\n",
    "termination": "CHECK( init(main()), LTL(F end) )\n",
    "no-data-race": "CHECK( init(main()), LTL(G ! data-race) )\n",
    "coverage-error-call": "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )\n",
    "coverage-branches": "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n",
    "coverage-conditions": "COVER( init(main()), FQL(COVER EDGES(@CONDITIONEDGE)) )\n",
    "coverage-statements": "COVER( init(main()), FQL(COVER EDGES(@BASICBLOCKENTRY)) )\n",
}
HEADER = """\
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__noreturn__));
extern void *malloc(unsigned long); extern void free(void *); extern int rand(void); extern void exit(int);
extern int __VERIFIER_nondet_int(); extern unsigned int __VERIFIER_nondet_uint(); extern _Bool __VERIFIER_nondet_bool();
extern double __VERIFIER_nondet_double(); extern long __VERIFIER_nondet_long(); extern char __VERIFIER_nondet_char();
void reach_error() { __assert_fail("0", "task.c", 6, "reach_error"); }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: {reach_error();abort();} } }
"""
REACH, MEMORY, CLEANUP = "unreach-call", "valid-memsafety", "valid-memcleanup"
OVERFLOW, END, RACE = "no-overflow", "termination", "no-data-race"
LOCKED = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"


def threads(body: str, after: str = "") -> str:
    """A program with two threads that do the same, and what it does after them."""
    return f"""#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *argument) {{ {body} return 0; }}
int main() {{
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  {after}
  return 0;
}}"""


TASKS = [
    (
        REACH,
        """int main() {
  int s = 0, n = __VERIFIER_nondet_int();
  assume_abort_if_not(n < 6);
  for (int i = 0; i < n; i++)
    s += __VERIFIER_nondet_bool() ? 2 : 1;
  __VERIFIER_assert(s != 9);
}""",
        "false(unreach-call)",
    ),
    (
        REACH,
        """int main() {
  volatile int v = __VERIFIER_nondet_int();
  int a = v, b = v;
  __VERIFIER_assert(a == b);
  return 0;
}""",
        "true",
    ),
    (
        REACH,
        """int main() {
  unsigned int x = __VERIFIER_nondet_uint();
  while (x > 1000) x /= 2;
  __VERIFIER_assert(x <= 1000);
  return 0;
}""",
        "true",
    ),
    (
        REACH,
        """int main() {
  double d = __VERIFIER_nondet_double(); long l = __VERIFIER_nondet_long();
  if (d > 2.5 && d < 2.75 && l < -9223372036854775807L) reach_error();
  return 0;
}""",
        "false(unreach-call)",
    ),
    (
        REACH,
        "int main() { int x = __VERIFIER_nondet_int(); if (x + 1 < x) reach_error(); return 0; }",
        "false(unreach-call)",
    ),
    (REACH, "int main() { int a[2], i = __VERIFIER_nondet_int(); if (i == 2) a[i] = 1; return 0; }", "unknown"),
    (REACH, "int main() { if (rand() == 12345) reach_error(); return 0; }", "unknown"),
    (REACH, "int main(int argc, char **argv) { if (argc > 3) reach_error(); return 0; }", "unknown"),
    (
        REACH,
        "int main(int argc, char **argv) { int x = __VERIFIER_nondet_int(); if (x * x == 7) reach_error(); return 0; }",
        "true",
    ),
    (REACH, "int main() { exit(0); reach_error(); }", "true"),
    (REACH, "int main() { int (*f)() = rand; if (f() == 7) reach_error(); return 0; }", "unknown"),
    (REACH, "int (*const f)() = rand; int main() { if (f() == 7) reach_error(); return 0; }", "unknown"),
    (REACH, "int main() { int x = __VERIFIER_nondet_int(); if (x > 5 && x < 5) return rand(); return 0; }", "true"),
    (REACH, "int main() { if (__VERIFIER_nondet_int() == 5) return rand() > 4; return 0; }", "unknown"),
    (
        REACH,
        """int (*f)(); int never(int); void gone(); int zero() { return 0; }
int main() {
  unsigned int x = __VERIFIER_nondet_uint(); f = zero;
  if (x > 5 && x < 5) { gone(); f = rand; f = never; }
  __VERIFIER_assert(!f());
}""",
        "true",
    ),
    (REACH, "int never(int); int main() { if (__VERIFIER_nondet_int() == 5) never(1); return 0; }", "unknown"),
    (
        REACH,
        """int unused() { return rand(); }
int main() {
  char s[4] = "a", *p = s; s[1] = __VERIFIER_nondet_char();
  while (*p && *p != 'x') p++;
  return *p ? rand() : 0;
}""",
        "unknown",
    ),
    (REACH, "f(x) { return x + 1; } g() { return; } main() { g(); __VERIFIER_assert(f(3) == 4); }", "true"),
    (REACH, "int main() { int x = __VERIFIER_nondet_int(), y = undeclared(x); return 0; }", "unknown"),
    (REACH, "int main() { long x = __VERIFIER_nondet_longlong(); if (x > 4000000000) reach_error(); }", "unknown"),
    (REACH, "int main() { int x = ; }", "unknown"),
    (
        REACH,
        "int f(int c) { if (c) return 1; } int main() { if (f(__VERIFIER_nondet_int()) == 2) return 1; }",
        "unknown",
    ),
    (
        REACH,
        "int main() { unsigned n = __VERIFIER_nondet_uint(); if (n < 9) return 0; int a[n]; a[8] = 1; return 0; }",
        "unknown",
    ),
    (
        REACH,
        "int main() { unsigned n = __VERIFIER_nondet_uint(); if (n - 1 > 8) return 0; int a[n]; a[n - 1] = 1; }",
        "true",
    ),
    (REACH, "extern char **environ; int main() { if (environ[0]) reach_error(); return 0; }", "unknown"),
    (
        MEMORY,
        """int main() {
  int n = __VERIFIER_nondet_int(), a[10];
  for (int i = 0; i < 10; i++) a[i] = i;
  if (n >= 0 && n <= 10) { int y = a[n]; return y; }
  return 0;
}""",
        "false(valid-deref)",
    ),
    (
        MEMORY,
        """struct node { struct node *next; int value; };
int main() {
  struct node *head = 0;
  for (int i = 0; i < 3; i++) { struct node *x = malloc(sizeof *x); x->next = head; x->value = i; head = x; }
  while (head) { struct node *next = head->next; free(head); head = next; }
  return 0;
}""",
        "true",
    ),
    (
        MEMORY,
        """int main() {
  int *p = malloc(4), *q = p;
  free(p);
  if (__VERIFIER_nondet_int() == 77) free(q);
  return 0;
}""",
        "false(valid-free)",
    ),
    (MEMORY, "int main() { int *p = malloc(4); p = 0; return 0; }", "false(valid-memtrack)"),
    (MEMORY, "int *g; int main() { g = malloc(8); assume_abort_if_not(__VERIFIER_nondet_int()); return 0; }", "true"),
    (MEMORY, "int main() { int *p = malloc(8); p = 0; abort(); }", "unknown"),
    (MEMORY, "int main() { int *p = malloc(8); *p = 1; p = 0; exit(0); }", "unknown"),
    (MEMORY, "void lose() { malloc(8); } int main() { lose(); exit(0); }", "false(valid-memtrack)"),
    (MEMORY, "int main() { int *p = malloc(8); p = 0; while (1) {} return 0; }", "unknown"),
    (CLEANUP, "int *g; int main() { g = malloc(8); return 0; }", "false(valid-memcleanup)"),
    (CLEANUP, "int *g; int main() { g = malloc(8); free(g); return 0; }", "true"),
    (
        CLEANUP,
        "int *g; int main() { g = malloc(8); if (__VERIFIER_nondet_int()) abort(); free(g); return 0; }",
        "unknown",
    ),
    (
        OVERFLOW,
        """int main() {
  int x = __VERIFIER_nondet_int(); char c = __VERIFIER_nondet_char();
  if (x > 0) { int y = x * 2; return y > c; }
  return 0;
}""",
        "false(no-overflow)",
    ),
    (
        OVERFLOW,
        """int main() {
  int x = __VERIFIER_nondet_int();
  if (x > 0 && x < 1000) { unsigned int z = 4000000000u + x; short s = x; s++; return x * x > z; }
  return 0;
}""",
        "true",
    ),
    (OVERFLOW, "int main() { return 2147483647 + 1 > 0; }", "false(no-overflow)"),
    (OVERFLOW, "int main() { if (__VERIFIER_nondet_int()) reach_error(); return 0; }", "true"),
    (
        END,
        """int main() {
  int x = __VERIFIER_nondet_int();
  while (x > 0) { if (x == 50) x--; x++; if (x == 50) x = 49; if (x > 60) break; }
}""",
        "false(termination)",
    ),
    (END, "int main() { unsigned int x = __VERIFIER_nondet_uint(); x &= 63; while (x) x &= x - 1; return 0; }", "true"),
    (RACE, "int main() { return __VERIFIER_nondet_int() > 3; }", "true"),
    (REACH, threads("x++;", "if (x != 2) reach_error();"), "false(unreach-call)"),
    (REACH, threads(LOCKED, "if (x != 2) reach_error();"), "true"),
    (RACE, threads("x++;"), "false(no-data-race)"),
    (RACE, threads(LOCKED), "true"),
    (RACE, threads("__atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);"), "true"),
    (RACE, threads("__atomic_fetch_add(&x, 1, __ATOMIC_RELAXED);"), "unknown"),
    (OVERFLOW, threads("pthread_mutex_lock(&m); x += 2000000000; pthread_mutex_unlock(&m);"), "false(no-overflow)"),
    (OVERFLOW, threads("pthread_mutex_lock(&m); x += 1000000000; pthread_mutex_unlock(&m);"), "true"),
    (MEMORY, threads("int *p = malloc(4); *p = 1; free(p);"), "true"),
    (MEMORY, threads("malloc(4);"), "false(valid-memtrack)"),
    (MEMORY, threads("pthread_mutex_lock(&m);"), "unknown"),
    (
        MEMORY,
        threads("exit(0);", "*p = 1; free(p);").replace("pthread_t", "int *p = malloc(8); pthread_t"),
        "unknown",
    ),
    (REACH, threads("pthread_mutex_lock(&m);", "reach_error();"), "true"),
    (END, threads(LOCKED), "unknown"),
    (
        END,
        """int main() {
  unsigned char x = __VERIFIER_nondet_char();
  while (x != 7) x += 2;
  return 0;
}""",
        "false(termination)",
    ),
    (
        END,
        """int main() {
  unsigned char x = __VERIFIER_nondet_char() | 1;
  while (x != 7) x += 2;
  return 0;
}""",
        "true",
    ),
]
"""Properties, bodies and verdicts."""


def task_file(folder: Path, body: str) -> Path:
    """The file of a task in ``folder``."""
    path = folder / "task.c"
    path.write_text(HEADER + body + "\n")
    return path


def property_file(folder: Path, name: str) -> Path:
    """The file of a property in ``folder``."""
    path = folder / f"{name}.prp"
    path.write_text(PROPERTY_FILES[name])
    return path
