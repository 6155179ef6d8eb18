"""Random programs of two and three threads with few visible operations: reads and writes, locks, semaphores, waits."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

MOST_OPERATIONS, MOST_WITH_STDIO = 8, 6
PRELUDE = """#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include "unfork.h"
__attribute__((used)) static int x, y, z;
__attribute__((used)) static atomic_int a, b;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_once_t o = PTHREAD_ONCE_INIT;
static pthread_barrier_t both;
static sem_t s;
int unfork_once_begin(pthread_once_t *);
void unfork_once_end(pthread_once_t *);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static _Thread_local int own = 1;
static _Atomic(int *) shown;
static int in(void) { char v; unfork_symbolic(&v, sizeof v, "v"); return v == 7; }
"""
SHARED = ("x", "y", "z", "a", "b")
"""The variables whose last values are compared."""
STATEMENTS: tuple[tuple[int, str], ...] = (
    (1, "{plain} = {k};"),
    (1, "{plain} = {k};"),
    (1, "{plain} = r + 1;"),
    (1, "r = r * 3 + {plain};"),
    (1, "r = r * 3 + {plain};"),
    (2, "{plain}++;"),
    (1, "{atomic} = {k};"),
    (1, "r = r * 3 + {atomic};"),
    (1, "r = r * 3 + {atomic};"),
    (1, "atomic_fetch_add(&{atomic}, {k});"),
    (1, "r = r * 3 + atomic_exchange(&{atomic}, {k});"),
    (1, "{{ int e = {k}; r = r * 3 + atomic_compare_exchange_strong(&{atomic}, &e, 2); }}"),
    (2, "{{ int e = {plain}; {plain} = e + 1; }}"),
    (0, "assert(r != {k});"),
    (0, "if (r == {k}) exit(r);"),
    (0, "if (r == {k}) {leave}"),
    (1, "assert({plain} != {k});"),
    (1, "assert({atomic} != {k});"),
    (1, "if ({plain} == {k}) exit({k});"),
    (1, "if ({plain} == {k}) {leave}"),
    (1, "if ({plain} == {k}) {{ {more} }}"),
    (1, "if ({plain} == {k}) {{ {more} }} else {{ {more} }}"),
    (1, "if ({atomic} == {k}) {{ {more} }}"),
    (0, "if (r & 1) {{ {more} }}"),
    (0, "if (in()) {{ {more} }}"),
    (0, "if (in()) r++;"),
    (2, "pthread_mutex_lock(&m); {more} pthread_mutex_unlock(&m);"),
    (2, "pthread_mutex_lock(&m); {more} pthread_mutex_unlock(&m);"),
    (2, "pthread_mutex_lock(&n); {more} pthread_mutex_unlock(&n);"),
    (2, "if (!pthread_mutex_trylock(&{mutex})) {{ {more} pthread_mutex_unlock(&{mutex}); }}"),
    (1, "pthread_mutex_lock(&{mutex});"),
    (1, "pthread_mutex_unlock(&{mutex});"),
    (1, "r = r * 3 + !pthread_mutex_trylock(&{mutex});"),
    (2, "pthread_rwlock_rdlock(&w); {more} pthread_rwlock_unlock(&w);"),
    (2, "pthread_rwlock_wrlock(&w); {more} pthread_rwlock_unlock(&w);"),
    (1, "r = r * 3 + !pthread_rwlock_tryrdlock(&w);"),
    (1, "r = r * 3 + !pthread_rwlock_trywrlock(&w);"),
    (1, "sem_wait(&s);"),
    (1, "sem_post(&s);"),
    (1, "sem_wait(&s); {more} sem_post(&s);"),
    (1, "r = r * 3 + !sem_trywait(&s);"),
    (1, "{{ int e; sem_getvalue(&s, &e); r = r * 3 + e; }}"),
    (4, "pthread_mutex_lock(&m); while (!{plain}) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);"),
    (4, "pthread_mutex_lock(&m); if (!{plain}) pthread_cond_wait(&c, &m); {more} pthread_mutex_unlock(&m);"),
    (3, "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);"),
    (3, "pthread_mutex_lock(&m); {plain} = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);"),
    (3, "pthread_mutex_lock(&m); {plain} = 1; pthread_mutex_unlock(&m); pthread_cond_broadcast(&c);"),
    (1, "pthread_cond_signal(&c);"),
    (1, "pthread_cond_broadcast(&c);"),
    (2, "pthread_barrier_wait(&both);"),
    (1, "r = r * 3 + (pthread_barrier_wait(&both) != 0);"),
    (2, "if (unfork_once_begin(&o)) {{ begin_{number}(); unfork_once_end(&o); }}"),
    (1, "__VERIFIER_atomic_begin(); {plain} = {plain} + 1; {atomic} = {plain}; __VERIFIER_atomic_end();"),
)
"""What a thread may do, and how many visible operations it is without those of {more}."""
OF_OWN: tuple[tuple[int, str], ...] = (
    (1, "own = own * 2 + {k};"),
    (1, "r = r * 3 + own;"),
    (1, "shown = &own;"),
    (1, "shown = &own;"),
    (1, "shown = 0;"),
    (2, "{{ int *e = shown; if (e) *e = {k}; }}"),
    (2, "{{ int *e = shown; if (e) r = r * 3 + *e; }}"),
    (2, "{{ int *e = shown; {more} if (e) r = r * 3 + *e; }}"),
    (2, "pthread_mutex_lock(&m); if (shown) *shown = {k}; pthread_mutex_unlock(&m);"),
    (2, "pthread_mutex_lock(&m); {more} pthread_mutex_unlock(&m);"),
    (1, "sem_wait(&s);"),
    (1, "sem_post(&s);"),
    (1, "if ({atomic} == {k}) {{ {more} }}"),
    (1, "{atomic} = {k};"),
    (0, "if (r == {k}) {leave}"),
)
"""The same where threads show each other variables of their own."""
PRELUDE_OF_STDIO = (
    PRELUDE
    + """#include <stdio.h>
#include <string.h>
static _Thread_local int mine = 1;
static char text[8];
static atomic_int held;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static int *at(void) { return &mine; }
"""
)
STATEMENTS_OF_STDIO: tuple[tuple[int, str], ...] = (
    (1, "{plain} = {k};"),
    (1, "r = r * 3 + {plain};"),
    (2, "{plain} = mine;"),
    (2, "mine += {plain};"),
    (1, "r = r * 3 + {atomic};"),
    (2, "{atomic} = mine;"),
    (1, "mine = mine * 2 + {k};"),
    (1, "r = r * 3 + mine;"),
    (2, "r = r * 3 + ++*at();"),
    (1, "if (mine == {k}) {{ {more} }}"),
    (1, "if ({atomic} == {k}) {{ {more} }}"),
    (2, "pthread_mutex_lock(&m); {more} pthread_mutex_unlock(&m);"),
    (2, "if (!pthread_mutex_trylock(&m)) {{ {more} pthread_mutex_unlock(&m); }}"),
    (2, "if (!atomic_flag_test_and_set(&busy)) {{ {more} atomic_flag_clear(&busy); }}"),
    (2, "{{ int e = 0; if (atomic_compare_exchange_strong(&held, &e, 1)) {{ {more} held = 0; }} }}"),
    (2, "{{ int e = {atomic}; while (!atomic_compare_exchange_weak(&{atomic}, &e, e + 1)); }}"),
    (3, "{{ int e = {k}; while (!atomic_compare_exchange_strong(&{atomic}, &e, e * 2 + 1)); r = r * 3 + e; }}"),
    (1, "{{ int e = 7; r = r * 3 + atomic_compare_exchange_strong(&{atomic}, &e, 2) + e; }}"),
    (1, "{{ int e = {k}; r = r * 3 + atomic_compare_exchange_strong(&{atomic}, &e, 2) + e; }}"),
    (1, "{{ int e = {k}; __atomic_compare_exchange_n(&{plain}, &e, 5, 0, 5, 5); r = r * 3 + e; }}"),
    (1, "{{ int e = 7; __atomic_compare_exchange_n(&{plain}, &e, 5, 0, 5, 5); }}"),
    (1, "r = r * 3 + __sync_val_compare_and_swap(&{plain}, {k}, {k});"),
    (1, "__atomic_store_n(&{plain}, {k}, 5);"),
    (1, "putchar('0' + {k});"),
    (1, 'printf("%d", r & 7);'),
    (1, 'fputs("a", stdout);'),
    (1, "r = r * 3 + (fflush(stdout) != 0);"),
    (2, "flockfile(stdout); {more} funlockfile(stdout);"),
    (4, "flockfile(stdout); putchar_unlocked('b'); putchar('c'); funlockfile(stdout);"),
    (1, "putchar_unlocked('d');"),
    (1, 'sprintf(text, "%d", {k});'),
    (2, '{{ char own[8]; sprintf(own, "%d", mine); r = r * 3 + own[0]; }}'),
    (1, "r = r * 3 + text[0];"),
    (1, 'strcpy(text, "e");'),
    (2, '{{ FILE *f = fopen("own", "w"); fclose(f); }}'),
    (3, "{{ FILE *f = tmpfile(); fputc('0' + {k}, f); fclose(f); }}"),
    (1, "assert({atomic} != {k});"),
    (0, "if (r == {k}) {leave}"),
    (2, 'free(strdup("f"));'),
    (1, "if ({plain} == {k}) exit({k});"),
)
"""The same with more of C. Loops of compare-exchanges end: only another thread's success makes one turn again."""
CHECKS = ("assert(r != {k});", "assert({plain} != {k});", "assert({plain} + {plain} != {k});", "")


@dataclass(frozen=True, slots=True)
class Program:
    """The functions of a program, which begins with ``entry``."""

    entry: str
    text: str


def generate(number: int) -> Program:
    """A program. Those of different numbers fit into one file, below PRELUDE."""
    return _Writer(f"threads/{number}", number, STATEMENTS).program(MOST_OPERATIONS)


def generate_of_own(number: int) -> Program:
    """The same with variables of the threads' own, which end with them."""
    return _Writer(f"threads/{number}", number, OF_OWN).program(MOST_OPERATIONS)


def generate_with_stdio(number: int) -> Program:
    """A program with threads' own variables, compare-exchanges and streams, for a file below PRELUDE_OF_STDIO."""
    return _Writer(f"stdio/{number}", number, STATEMENTS_OF_STDIO).program(MOST_WITH_STDIO)


def program_file(programs: list[Program], prelude: str) -> str:
    """The text of a file with several programs."""
    return prelude + "\n".join([program.text for program in programs])


class _Writer:
    def __init__(self, seed: str, number: int, statements: tuple[tuple[int, str], ...]) -> None:
        self._number = number
        self._chance = random.Random(seed)
        self._left = 0
        self._statements = statements
        self._plain = self._chance.choice(("x", "x", "xxy", "xy", "xyz"))
        self._atomic = self._chance.choice(("a", "ab"))

    def program(self, most: int) -> Program:
        chance, number = self._chance, self._number
        threads = chance.choice((2, 2, 3))
        self._left = chance.randrange(3, most + 1 - (threads == 3))
        # A few kinds of statements each, so that threads have to do with each other.
        self._statements = tuple(chance.sample(self._statements, chance.randrange(4, 12)))
        shares = self._shares(threads)
        lines = [f"static void begin_{number}(void) {{ {self._one('{plain} = {k};', '')} }}"]
        for thread in range(1, threads):
            body = self._body(shares[thread], "pthread_exit((void *)(long)r);")
            lines += [
                f"static void *run_{number}_{thread}(void *p) {{",
                "int r = 0;",
                *body,
                "return (void *)(long)r;",
                "}",
            ]
        body = self._body(shares[0], "return r;")
        entry = f"prog{number}"
        lines += [f"int {entry}(void) {{", f"int r = 0; pthread_t t[{threads}];"]
        lines += [f"sem_init(&s, 0, {chance.randrange(3)}); pthread_barrier_init(&both, 0, 2);"]
        lines += [f"pthread_create(&t[{thread}], 0, run_{number}_{thread}, 0);" for thread in range(1, threads)]
        lines += body
        lines += [f"pthread_join(t[{thread}], 0);" for thread in range(1, threads) if chance.random() < 0.7]
        lines += [
            self._one(chance.choice(CHECKS), ""),
            chance.choice(("return r;", "return r;", "pthread_exit(0);")),
            "}",
        ]
        return Program(entry, "\n".join(lines) + "\n")

    def _shares(self, threads: int) -> list[int]:
        """How many operations each thread has; main may have none."""
        shares = [0] * threads
        for _ in range(self._left):
            shares[self._chance.choice(range(threads))] += 1
        return shares

    def _body(self, operations: int, leave: str) -> list[str]:
        self._left = operations
        lines: list[str] = []
        while self._left > 0:
            cost, pattern = self._chance.choice(self._statements)
            if cost > self._left or (cost == 0 and len(lines) > 6):
                possible = [each for each in self._statements if 0 < each[0] <= self._left]
                if not possible:
                    break
                cost, pattern = self._chance.choice(possible)
            self._left -= cost
            lines.append(self._one(pattern, leave))
        return lines

    def _one(self, pattern: str, leave: str) -> str:
        """A pattern with names, numbers and further statements in its places."""
        chance, text = self._chance, ""
        mutex = chance.choice("mn")
        choices: dict[str, Callable[[], str]] = {
            "{plain}": lambda: chance.choice(self._plain),
            "{atomic}": lambda: chance.choice(self._atomic),
            "{k}": lambda: str(chance.randrange(3)),
            "{mutex}": lambda: mutex,
            "{leave}": lambda: leave or ";",
            "{number}": lambda: str(self._number),
            "{more}": lambda: " ".join(self._more(leave)),
        }
        pattern = pattern.replace("{{", "\0").replace("}}", "\1")
        while (start := pattern.find("{")) >= 0:
            end = pattern.index("}", start) + 1
            text += pattern[:start] + choices[pattern[start:end]]()
            pattern = pattern[end:]
        return (text + pattern).replace("\0", "{").replace("\1", "}")

    def _more(self, leave: str) -> list[str]:
        possible = [each for each in self._statements if each[0] <= self._left]
        if not possible or self._chance.random() < 0.1:
            return []
        cost, pattern = self._chance.choice(possible)
        if cost == 0 and "{more}" in pattern:
            return []
        self._left -= cost
        return [self._one(pattern, leave)]
