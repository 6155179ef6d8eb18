/* A fuzzer ends where the target exits.
   expect: unsafe
   options: --input-size 2
   native: none (a fuzzer calls it) */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 2 && data[0] == '!')
    exit(0); /* BUG: user */
  return 0;
}
