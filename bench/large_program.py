"""Writes a large C program of ordinary shape for bench.scale: modules of records, tables, strings, loops and calls."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

FUNCTIONS = 30
"""Per module."""

HEAD = """\
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum kind_{m} {{ KIND_{m}_NONE, KIND_{m}_WORD, KIND_{m}_NUMBER, KIND_{m}_LIST, KIND_{m}_PAIR }};
struct item_{m} {{ enum kind_{m} kind; unsigned flags; long value; char name[{width}]; struct item_{m} *next; }};
struct table_{m} {{ struct item_{m} *first; size_t count; const char *title; long (*handle)(struct item_{m} *, int); }};

static const char *const words_{m}[] = {{ {words} }};
static const int weights_{m}[] = {{ {weights} }};
static struct table_{m} registry_{m}[{tables}];
int errors_{m};
"""

BODIES = (
    """
static long {name}(struct item_{m} *item, int depth)
{{
  long sum = 0;
  for (struct item_{m} *at = item; at; at = at->next)
    {{
      int weight = weights_{m}[(size_t) at->value % (sizeof weights_{m} / sizeof *weights_{m})];
      if (at->flags & {a}u)
        sum += at->value * weight;
      else if (depth > {b} && at->kind == KIND_{m}_LIST)
        sum -= {callee}(at, depth - 1);
      else
        sum ^= (long) at->name[{c}] << (weight & 15);
    }}
  return sum;
}}
""",
    """
static long {name}(struct item_{m} *item, int depth)
{{
  char buffer[{d}];
  size_t length = 0;
  if (!item || depth < 0)
    return -1;
  for (const char *s = item->name; *s && length < sizeof buffer - 1; s++)
    {{
      switch (*s)
        {{
        case '\\\\': case '"': buffer[length++] = '\\\\'; break;
        case ' ': continue;
        case 'a': case 'b': case 'c': buffer[length] = (char) (*s - 32); length++; break;
        default: if ((unsigned char) *s < {b}u + 32) {{ errors_{m}++; return -{a}; }} buffer[length++] = *s;
        }}
    }}
  buffer[length] = 0;
  for (size_t i = 0; i < sizeof words_{m} / sizeof *words_{m}; i++)
    if (strcmp(buffer, words_{m}[i]) == 0)
      return {callee}(item->next, depth - (int) i);
  return (long) length;
}}
""",
    """
static long {name}(struct item_{m} *item, int depth)
{{
  struct table_{m} *table = &registry_{m}[depth & {mask}];
  struct item_{m} *made = malloc(sizeof *made);
  if (!made)
    return -1;
  memset(made, 0, sizeof *made);
  made->kind = item ? item->kind : KIND_{m}_NUMBER;
  made->flags = (unsigned) depth * {a}u;
  made->value = (long) table->count + {b};
  strncpy(made->name, words_{m}[(size_t) made->value % (sizeof words_{m} / sizeof *words_{m})], {c});
  made->next = table->first;
  table->first = made;
  table->count++;
  while (made && made->value > {d})
    {{
      made->value = made->value % 2 ? 3 * made->value + 1 : made->value / 2;
      if (table->handle && (made->flags & {b}u))
        return table->handle(made, depth - 1);
      made = made->next;
    }}
  return depth > 0 ? {callee}(table->first, depth - 1) : (long) table->count;
}}
""",
    """
static long {name}(struct item_{m} *item, int depth)
{{
  unsigned long hash = {a}ul;
  unsigned char *bytes = (unsigned char *) item;
  size_t size = item ? sizeof *item : 0;
  double mean = 0;
  for (size_t i = 0; i < size; i++)
    {{
      hash = (hash ^ bytes[i]) * 1099511628211ul;
      mean += (double) bytes[i] / (double) (i + {b});
    }}
  if (depth > {c} || mean > {d}.5)
    return {callee}(item, depth - 2) + (long) (hash >> 8);
  if (item && item->next && hash % {b} == 0)
    {{
      struct item_{m} copy = *item;
      copy.value = (long) hash;
      copy.next = NULL;
      return {callee}(&copy, depth - 1);
    }}
  return (long) hash;
}}
""",
)

TAIL = """
long enter_{m}(const char *text, int depth)
{{
  struct item_{m} item = {{ KIND_{m}_WORD, {a}u, depth, "", NULL }};
  strncpy(item.name, text, sizeof item.name - 1);
  registry_{m}[0].handle = {first};
  registry_{m}[0].title = words_{m}[0];
  switch (text[0])
    {{
{cases}
    default: return {next};
    }}
}}
"""


def module(number: int, modules: int, seed: int) -> str:
    """The C of one module. It calls the next one, so that all of them can be reached from the first."""
    chance = random.Random(f"{seed}/{number}")
    m = number
    words = [f'"{chance.choice(("open", "close", "read", "list", "find", "sort"))}-{m}-{i}"' for i in range(40)]
    weights = [str(chance.randrange(1, 1000)) for _ in range(chance.randrange(20, 200))]
    mask = chance.choice((1, 3, 7))
    text = HEAD.format(m=m, width=24, words=", ".join(words), weights=", ".join(weights), tables=mask + 1)
    names = [f"work_{m}_{i}" for i in range(FUNCTIONS)]
    text += "\n".join(f"static long {name}(struct item_{m} *item, int depth);" for name in names)
    for i, name in enumerate(names):
        callee = names[chance.randrange(i + 1, FUNCTIONS)] if i + 1 < FUNCTIONS else names[0]
        a, b, c, d = chance.randrange(1, 200), chance.randrange(2, 30), chance.randrange(20), chance.randrange(30, 90)
        text += chance.choice(BODIES).format(name=name, m=m, callee=callee, a=a, b=b, c=c, d=d, mask=mask)
    cases = "\n".join(f"    case {i + 33}: return {name}(&item, depth);" for i, name in enumerate(names))
    following = f"enter_{m + 1}(text + 1, depth - 1)" if m + 1 < modules else "0"
    head = f"\nlong enter_{m + 1}(const char *text, int depth);\n" if m + 1 < modules else ""
    return text + head + TAIL.format(m=m, a=7, first=names[0], cases=cases, next=following)


def main(unused: int) -> str:
    """A main that reads one symbolic word; ``unused`` modules are left for nobody to call."""
    return f"""
#include "klee/klee.h"
long enter_{unused}(const char *text, int depth);
int main(void)
{{
  char text[4];
  klee_make_symbolic(text, sizeof text, "text");
  text[3] = 0;
  return enter_{unused}(text, 3) > 0;
}}
"""


def write(folder: Path, modules: int, unused: int = 0, seed: int = 1) -> Iterator[Path]:
    """Write the C files of a program of ``modules`` modules, of which the first ``unused`` are never called."""
    for number in range(modules):
        path = folder / f"module{number}.c"
        path.write_text(module(number, modules, seed))
        yield path
    path = folder / "main.c"
    path.write_text(main(unused))
    yield path
