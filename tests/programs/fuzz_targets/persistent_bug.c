/* AFL++'s macros: one turn of the loop, on any input.
   expect: unsafe
   options: --input-size 4
   native: none (a fuzzer calls it) */
#include <unistd.h>

__AFL_FUZZ_INIT();

int main(void) {
  __AFL_INIT();
  unsigned char *input = __AFL_FUZZ_TESTCASE_BUF;
  int turns = 0;
  while (__AFL_LOOP(1000)) {
    int length = __AFL_FUZZ_TESTCASE_LEN;
    if (length < 2)
      continue;
    if (input[0] == 'b' && input[1] == 'g')
      input[length] = 0; /* BUG: out-of-bounds */
    turns++;
  }
  return turns > 1;
}
