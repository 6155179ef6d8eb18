/* The deepest level ends the program, which frees nothing and returns nowhere.
   expect: safe */
#include <stdlib.h>
#include <assert.h>
#include "unfork.h"

#ifndef DEPTH
#define DEPTH 5
#endif

static int down(int n, unsigned bits) {
  int here[2] = {n, 0};
  if (n == 0) exit(0);
  if (bits & 1) return down(n - 1, bits >> 1) + here[1];
  return down(n - here[0] + here[0] - 1, bits >> 1);
}

int main(void) {
  unsigned bits;
  unfork_symbolic(&bits, sizeof bits, "bits");
  return down(DEPTH, bits);
}
