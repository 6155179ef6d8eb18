"""Random programs of two and three threads with loops that wait: spin locks, some broken ones, locks that back off."""

from __future__ import annotations

import random

from tests.support.generated_threads import Program

PIECES = (
    "{{ int e = 0; while (!atomic_compare_exchange_weak(&{atomic}, &e, 1)) e = 0; }} {more} {atomic} = 0;",
    "{{ int e = 0; while (!atomic_compare_exchange_strong(&{atomic}, &e, 1)) {{ e = 0; sched_yield(); }} }} {more}",
    "while (atomic_exchange(&{atomic}, 1)) ; {more} {atomic} = 0;",
    "while (atomic_exchange(&{atomic}, 1)) while ({atomic}) ; {more} {atomic} = 0;",
    "while (atomic_fetch_or(&{atomic}, 1) & 1) ; {more} atomic_fetch_and(&{atomic}, 2);",
    "while ({atomic}) ; {atomic} = 1; {more} {atomic} = 0;",
    "while (pthread_mutex_trylock(&{mutex})) sched_yield(); {more} pthread_mutex_unlock(&{mutex});",
    "for (;;) {{ pthread_mutex_lock(&m); if (!pthread_mutex_trylock(&n)) break; pthread_mutex_unlock(&m); }}"
    " {more} pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
    "for (;;) {{ pthread_mutex_lock(&n); if (!pthread_mutex_trylock(&m)) break; pthread_mutex_unlock(&n); }}"
    " {more} pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
    "for (;;) {{ a = 1; if (!b) break; a = 0; }} {more} a = 0;",
    "for (;;) {{ b = 1; if (!a) break; b = 0; }} {more} b = 0;",
    "for (;;) {{ {atomic} = 2; if ({other} != 2) break; {atomic} = 0; while ({other} == 2) ; }} {more}",
    "while (!{atomic}) ;",
    "while ({atomic} != {k} && {other} != {k}) ;",
    "for (int i = 0; i < 3 && !{atomic}; i++) sched_yield();",
    "{{ int e = 0; while (!atomic_compare_exchange_strong(&{atomic}, &e, e + 1) && e < 3) ; }}",
    "pthread_mutex_lock(&{mutex}); {more} pthread_mutex_unlock(&{mutex});",
)
PLAIN = (
    "{plain}++;",
    "{plain}++;",
    "r = r * 3 + {plain};",
    "r = r * 3 + {atomic};",
    "{atomic} = {k};",
    "if ({atomic} == 1 && {other} == 0 && {atomic} == 1) r = 7;",
    "if ({atomic} == 1) if ({atomic} == 0) if ({atomic} == 1) r = 5;",
    "assert({plain} != {k});",
    "r = r * 3 + !pthread_mutex_trylock(&{mutex});",
    "",
)


def generate(number: int) -> Program:
    """A program. Those of different numbers fit into one file, below the prelude of generated_threads."""
    chance = random.Random(f"waits/{number}")
    threads = chance.choice((2, 2, 3))
    pieces, plain = chance.sample(PIECES, 2), chance.sample(PLAIN, 3)

    def filled(pattern: str) -> str:
        atomic = chance.choice("ab")
        words = {"atomic": atomic, "other": "ab".replace(atomic, ""), "mutex": chance.choice("mn")}
        words |= {"plain": chance.choice("xxy"), "k": str(chance.randrange(3))}
        return pattern.format(**words, more=filled(chance.choice(plain)) if "{more}" in pattern else "")

    def body() -> list[str]:
        lines = [filled(chance.choice(pieces))]
        if chance.random() < 0.5:
            lines.insert(chance.randrange(2), filled(chance.choice(plain)))
        return lines

    lines = []
    for thread in range(1, threads):
        lines += [f"static void *run_{number}_{thread}(void *p) {{ int r = 0;", *body(), "return (void *)(long)r; }"]
    entry = f"prog{number}"
    lines += [f"int {entry}(void) {{ int r = 0; pthread_t t[{threads}];"]
    lines += [f"pthread_create(&t[{thread}], 0, run_{number}_{thread}, 0);" for thread in range(1, threads)]
    lines += body() if threads == 2 else [filled(chance.choice(plain))]
    lines += [f"pthread_join(t[{thread}], 0);" for thread in range(1, threads)]
    return Program(entry, "\n".join([*lines, "return r; }"]) + "\n")
