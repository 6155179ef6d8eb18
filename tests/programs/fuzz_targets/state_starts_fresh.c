/* A path calls the target once: what a call leaves behind does not reach another one.
   expect: safe
   options: --input-size 2
   native: none (a fuzzer calls it) */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

static int calls;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  assert(calls++ == 0);
  return size && data[0] == 'a' ? -1 : 0;
}
