/* Every size up to the largest, and data that is never null.
   expect: safe
   options: --input-size 6
   paths: 10
   native: none (a fuzzer calls it) */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  assert(data && size <= 6);
  if (size > 3 && !memcmp(data, "FUZZ", 4))
    return data[size - 1] == 'x';
  return 0;
}
