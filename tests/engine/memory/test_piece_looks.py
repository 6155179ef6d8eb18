"""The verdict rests on the layout of memory if results depend on the bytes of an address, on whatever path of calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.runs import explore

HEAD = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "unfork.h"
struct pair { char *name; int id; };
static char *names[2] = {"a", "b"};
"""
LOOKS = {
    "bytes in a helper": """
static unsigned hash(const void *p, size_t n) {
  const unsigned char *b = p; unsigned h = 7;
  while (n--) h = h * 31 ^ *b++;
  return h;
}
int main(void) { char *p = names[0]; return hash(&p, sizeof p) % 7 == 9; }""",
    "words by memcpy in a helper": """
static uint32_t mix(const void *p, size_t n) {
  uint32_t h = 1, w;
  for (const char *at = p; n >= 4; n -= 4, at += 4) { memcpy(&w, at, 4); h = h * 33 ^ w; }
  return h;
}
int main(void) {
  struct pair p;
  memset(&p, 0, sizeof p);
  p.name = malloc(4);
  unfork_check(mix(&p, sizeof p) != 1);
  free(p.name);
  return 0;
}""",
    "bytes that were copied before": """
static void copy(char *to, const char *from, int n) { for (int i = 0; i < n; i++) to[i] = from[i]; }
static int sum(const unsigned char *at, int n) { int all = 0; for (int i = 0; i < n; i++) all += at[i]; return all; }
int main(void) {
  unsigned char raw[24], moved[24]; struct pair p = {names[1], 0};
  copy((char *)raw, (char *)&p, sizeof p);
  memcpy(moved + 3, raw, sizeof p);
  unfork_check(sum(moved + 4, 3) != 255 * 3);
  return 0;
}""",
    "a part of an address in a variable of its own": """
static void take(void *to, const void *from) { memcpy(to, from, 4); }
static uint32_t part; static int odd(const uint32_t *p) { return *p >> 5 & 1; }
int main(void) { char *p = malloc(1); take(&part, &p); int o = odd(&part); free(p); return o > 1; }""",
    "bytes beside a constant": """
static int has(const unsigned char *b, unsigned char c) {
  for (int i = 0; i < 5; i++) if (b[i] == c) return 1;
  return 0;
}
int main(void) { char *p = malloc(1); unfork_check(!has((unsigned char *)&p, 0x5a)); free(p); return 0; }""",
    "bytes beside other bytes": """
static int begins(const char *a, const char *b) { while (*b) if (*a++ != *b++) return 0; return 1; }
int main(void) { char *p = malloc(1); unfork_check(!begins((char *)&p, "Q")); free(p); return 0; }""",
    "an order by memcmp": """
static int order(const void *a, const void *b) { return memcmp(a, b, sizeof(struct pair)); }
int main(void) {
  struct pair p[2] = {{malloc(1), 0}, {malloc(1), 1}};
  qsort(p, 2, sizeof *p, order);
  free(p[0].name); free(p[1].name);
  return 0;
}""",
    "an address as a text": """
int main(void) {
  char text[32];
  snprintf(text, sizeof text, "%s: %p", "p", (void *)names);
  unfork_check(text[6] != 'Q');
  return 0;
}""",
    "a loop within the function that copies": """
int main(void) {
  char *p = malloc(1), raw[8]; unsigned h = 0;
  for (int i = 0; i < 8; i++) raw[i] = ((char *)&p)[i];
  for (int round = 0; round < 40; round++) for (int i = 0; i < 8; i++) h = h * 31 + raw[i];
  free(p);
  return h == 1;
}""",
    "a word by memcpy, in a helper": """
static uint64_t finish(uint64_t k) { k ^= k >> 33; return k * 0xff51afd7ed558ccdull; }
static uint64_t mix(const void *p) { uint64_t k; memcpy(&k, p, sizeof k); return finish(k); }
int main(void) { char *p = malloc(1); uint64_t h = mix(&p); free(p); return h % 7 == 9; }""",
    "a word by memcpy, often": """
int main(void) {
  char *p = malloc(1); uint64_t k, h = 0;
  for (int i = 0; i < 50; i++) { memcpy(&k, &p, sizeof k); h = h * 31 + k % 97; }
  free(p);
  return h == 1;
}""",
    "an unknown byte": """
int main(void) {
  char *p = malloc(1); unsigned char i, raw[8];
  unfork_symbolic(&i, 1, "i"); unfork_assume(i < 8);
  memcpy(raw, &p, 8);
  unfork_check(raw[i] != 0x5a);
  free(p);
  return 0;
}""",
}
COPIES = {
    "memcpy, memmove and realloc of structs": """
int main(void) {
  struct pair *a = malloc(2 * sizeof *a), b;
  a[0] = (struct pair){names[0], 1}; a[1] = (struct pair){names[1], 2};
  memcpy(&b, a, sizeof b); memmove(a, a + 1, sizeof *a);
  a = realloc(a, 9 * sizeof *a);
  unfork_check(a[0].name == names[1] && b.name == names[0] && a[0].id + b.id == 3);
  free(a);
  return 0;
}""",
    "qsort by another key": """
static int order(const void *a, const void *b) { return ((const struct pair *)a)->id - ((const struct pair *)b)->id; }
int main(void) {
  struct pair p[5]; unsigned char x;
  unfork_symbolic(&x, 1, "x");
  for (int i = 0; i < 5; i++) p[i] = (struct pair){names[i & 1], i == 3 ? x : 9 - i};
  qsort(p, 5, sizeof *p, order);
  for (int i = 1; i < 5; i++) unfork_check(p[i - 1].id <= p[i].id);
  return 0;
}""",
    "a swap and a copy byte by byte": """
static void swap(void *a, void *b, size_t n) { char *x = a, *y = b; while (n--) { char t = *x; *x++ = *y; *y++ = t; } }
static void copy(void *to, const void *from, size_t n) { char *t = to; const char *f = from; while (n--) *t++ = *f++; }
int main(void) {
  struct pair p[3] = {{names[0], 1}, {names[1], 2}}; struct pair q;
  for (int i = 0; i < 41; i++) swap(p, p + 1, sizeof *p);
  copy(&q, p, sizeof q);
  unfork_check(p[0].name == names[1] && p[1].id == 1 && q.name == names[1] && q.id == 2);
  return 0;
}""",
    "equality byte by byte": """
static int same(const void *a, const void *b, size_t n) {
  const char *x = a, *y = b;
  for (size_t i = 0; i < n; i++) if (x[i] != y[i]) return 0;
  return 1;
}
int main(void) {
  struct pair p[3]; memset(p, 0, sizeof p);
  p[0].name = p[1].name = malloc(1); p[2].name = NULL;
  unfork_check(same(p, p + 1, sizeof *p) && !same(p, p + 2, sizeof *p));
  free(p[0].name);
  return 0;
}""",
    "equality by memcmp": """
static int equal(const struct pair *a, const struct pair *b) { return memcmp(a, b, sizeof *a) == 0; }
int main(void) {
  struct pair p[3]; memset(p, 0, sizeof p);
  p[0].name = p[1].name = malloc(1); p[2].name = malloc(1);
  unfork_check(equal(p, p + 1) && !equal(p, p + 2));
  free(p[0].name); free(p[2].name);
  return 0;
}""",
    "a packed struct": """
struct __attribute__((packed)) packed { char tag; char *name; };
int main(void) {
  struct packed p[2] = {{'a', names[0]}, {'b', names[1]}}, q = p[1];
  unfork_check(q.name == names[1] && q.tag == 'b' && p[0].name != q.name && p[0].tag == 'a');
  return 0;
}""",
    "words that are passed on": """
union word { char *p; uint64_t n; double d; };
static uint64_t packed(const union word *w) { return w->n; }
static void tag(union word *to, const union word *from, int tag) { to->n = (from->n | tag) & ~7ull; }
int main(void) {
  union word w = {.p = malloc(1)}, other[2]; uint64_t n;
  for (int i = 0; i < 30; i++) tag(&other[i & 1], &w, 3);
  memcpy(&n, &w, sizeof n);
  memcpy(&other[0], &n, sizeof n);
  unfork_check(other[1].p == w.p && other[0].p == w.p && packed(&w) == n && (n & 7) == 0);
  free(w.p);
  return 0;
}""",
    "the lowest bits": """
static int is_aligned(const unsigned char *b) { return (b[0] & 7) == 0; }
int main(void) { void *p = malloc(1); unfork_check(is_aligned((unsigned char *)&p)); free(p); return 0; }""",
    "a pointer that is put together": """
static char *get(const unsigned char *b) {
  uint64_t all = 0;
  for (int i = 7; i >= 0; i--) all = all << 8 | b[i];
  return (char *)(uintptr_t)all;
}
int main(void) { char *p = names[1]; unfork_check(*get((unsigned char *)&p) == 'b'); return 0; }""",
    "memory that is used again": """
int main(void) {
  static unsigned char arena[64]; char *p = names[0];
  for (int i = 0; i < 8; i++) arena[i] = ((unsigned char *)&p)[i];
  int *counts = (int *)arena;
  for (int i = 0; i < 16; i++) counts[i] = i;
  for (int i = 0; i < 64; i++) arena[i] = 0;
  int sum = 0;
  for (int i = 0; i < 16; i++) sum += counts[i];
  unfork_check(sum == 0);
  return 0;
}""",
    "numbers beside pointers": """
static struct pair table[3] = {{"x", 4}, {"y", 5}, {"z", 6}};
int main(void) {
  unsigned char i;
  unfork_symbolic(&i, 1, "i"); unfork_assume(i < 3);
  unfork_check(table[i].id == 4 + i);
  char text[40];
  snprintf(text, sizeof text, "%d%% %5p %s", 3, (void *)0, "p");
  unfork_check(text[0] == '3');
  puts(table[i].name); printf("%p\\n", (void *)table);
  return 0;
}""",
}


@pytest.mark.parametrize("body", LOOKS.values(), ids=LOOKS)
def test_results_that_depend_on_the_bytes_of_an_address_are_assumed(body: str, tmp_path: Path) -> None:
    assert [word.split(":")[0] for word in _assumptions(body, tmp_path)] == ["objects lie where unfork puts them"]


@pytest.mark.parametrize("body", COPIES.values(), ids=COPIES)
def test_copies_of_addresses_and_their_equality_need_no_assumption(body: str, tmp_path: Path) -> None:
    assert not _assumptions(body, tmp_path)


def _assumptions(body: str, folder: Path) -> list[str]:
    """What a program assumes that nothing fails in."""
    file = folder / "program.c"
    file.write_text(HEAD + body)
    result = explore(file, folder / "run", check=())
    assert result.summary["verdict"] == "safe", result.summary
    assumptions: list[str] = result.summary["assumptions"]
    return assumptions
