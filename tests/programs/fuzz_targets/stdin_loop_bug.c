/* AFL++'s loop around reads of standard input.
   expect: unsafe
   options: --input-stdin --input-size 3
   native: none (a fuzzer gives the input) */
#include <assert.h>
#include <unistd.h>

int main(void) {
  char bytes[8];
  while (__AFL_LOOP(1000)) {
    long size = read(0, bytes, sizeof bytes);
    assert(size >= 0 && size <= 3);
    assert(size != 2 || bytes[1] != 'g'); /* BUG: assert */
  }
  return 0;
}
