/* Dijkstra's ring of NODES nodes with as many numbers: a scheduler lets any node move for ever, and at all times exactly
   one of them has the privilege.

   expect: safe
   native: none (it does not end)
*/
#include <assert.h>

#ifndef NODES
#define NODES 4
#endif

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

static unsigned numbers[NODES];

static int is_privileged(unsigned node) {
  if (node == 0)
    return numbers[0] == numbers[NODES - 1];
  return numbers[node] != numbers[node - 1];
}

int main(void) {
  while (1) {
    unsigned node = __VERIFIER_nondet_uint();
    int privileged = 0;

    __VERIFIER_assume(node < NODES);
    if (is_privileged(node))
      numbers[node] = node == 0 ? (numbers[0] + 1) % NODES : numbers[node - 1];
    for (unsigned i = 0; i < NODES; ++i)
      privileged += is_privileged(i);
    assert(privileged == 1);
  }
}
