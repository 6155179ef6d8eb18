/* The input belongs to the fuzzer.
   expect: unsafe
   options: --input-size 1 --check memory
   native: none (a fuzzer calls it) */
#include <stddef.h>
#include <stdint.h>

static const uint8_t *kept;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  kept = data;
  return size > 0 && data[1 - size] == 7 && kept[1] == 2; /* BUG: out-of-bounds */
}
