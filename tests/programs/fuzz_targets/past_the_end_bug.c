/* The block is as long as the input: the byte behind it is an error.
   expect: unsafe
   options: --input-size 6
   native: none (a fuzzer calls it) */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 3 && !memcmp(data, "FUZZ", 4))
    return data[size] == 'x'; /* BUG: out-of-bounds */
  return 0;
}
