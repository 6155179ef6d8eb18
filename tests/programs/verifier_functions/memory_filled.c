/* expect: unsafe
   native: none (the stand-in has no input for memory) */
#include <assert.h>
#include <stddef.h>
extern void __VERIFIER_nondet_memory(void *, size_t);

int main(void) {
  unsigned char bytes[6] = {0};
  __VERIFIER_nondet_memory(bytes + 1, 4);
  assert(bytes[0] == 0 && bytes[5] == 0);
  assert(bytes[4] != 200); /* BUG: assert */
  return 0;
}
