/* Standard input is the fuzzer's input, of any size; its size is known before it is read.
   expect: unsafe
   options: --input-stdin --input-size 4
   native: none (a fuzzer gives the input) */
#include <assert.h>
#include <stdio.h>
#include <sys/stat.h>

int main(void) {
  char bytes[8];
  struct stat about;
  assert(!fstat(0, &about) && about.st_size <= 4);
  size_t size = fread(bytes, 1, sizeof bytes, stdin);
  assert((off_t)size == about.st_size);
  if (size == 3 && bytes[0] == 'k')
    assert(bytes[2] != 'y'); /* BUG: assert */
  return 0;
}
