/* LLVMFuzzerInitialize runs first, on the program's words.
   expect: unsafe
   options: --input-size 1
   native: none (a fuzzer calls it) */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

static int limit = 300;

int LLVMFuzzerInitialize(int *count, char ***words) {
  assert(*count == 1 && (*words)[0] && !(*words)[1]);
  limit = 42;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 1)
    assert(data[0] != limit); /* BUG: assert */
  return -1;
}
