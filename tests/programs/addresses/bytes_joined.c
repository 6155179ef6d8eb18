/* Pointers that lie in an array of characters are whole words where paths meet.
   expect: safe
   native: asan */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include "unfork.h"

static int values[4];

int main(void) {
  unsigned char c, buffer[24] = {0};
  int local = 1, *p = &values[1], *q = &local, *out;
  unfork_symbolic(&c, 1, "c");
  if (c > 9)
    memcpy(buffer, &p, 8);
  else
    memcpy(buffer, &q, 8);
  if (c & 1) memcpy(buffer + 8, &p, 8);
  if (c & 2) memcpy(buffer + 8, &q, 5);
  uintptr_t n = c > 9 ? (uintptr_t)p : (uintptr_t)q, m = c & 1 ? (uintptr_t)p : 0, k;
  for (int i = 0; i < 8; i++) assert(buffer[i] == (n >> 8 * i & 255));
  if (c & 2) m = (m & ~0xffffffffffu) | ((uintptr_t)q & 0xffffffffffu);
  for (int i = 0; i < 8; i++) assert(buffer[8 + i] == (m >> 8 * i & 255));
  memcpy(&k, buffer, 8);
  assert(k == n);
  memcpy(&k, buffer + 8, 8);
  assert(k == m);
  memcpy(&out, buffer, 8);
  assert(out == (c > 9 ? p : q) && *out == (c <= 9));
  return 0;
}
