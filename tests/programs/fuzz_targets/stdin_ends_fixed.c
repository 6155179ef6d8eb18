/* The end of an input on standard input is where lseek says, for a copy of the descriptor, too.
   expect: safe
   options: --input-stdin --input-size 5
   native: none (a fuzzer gives the input) */
#include <assert.h>
#include <unistd.h>

int main(void) {
  char bytes[8];
  int copy = dup(0);
  off_t end = lseek(copy, 0, SEEK_END);
  assert(end >= 0 && end <= 5 && read(0, bytes, 1) == 0);
  assert(lseek(0, 0, SEEK_SET) == 0 && read(copy, bytes, sizeof bytes) == end);
  return end > 1 && bytes[1] == 'z';
}
