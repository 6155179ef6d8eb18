/* The deepest level jumps out of all others.
   expect: safe */
#include <setjmp.h>
#include <assert.h>
#include "unfork.h"

#ifndef DEPTH
#define DEPTH 5
#endif

static jmp_buf out;
static int levels;

static int down(int n, unsigned bits) {
  if (n == 0) longjmp(out, 3);
  levels++;
  if (bits & 1) return down(n - 1, bits >> 1) + 1;
  return down(n - 1, bits >> 1);
}

int main(void) {
  unsigned bits;
  unfork_symbolic(&bits, sizeof bits, "bits");
  int came = setjmp(out);
  if (came == 0) down(DEPTH, bits);
  assert(came == 3);
  assert(levels == DEPTH);
  return 0;
}
