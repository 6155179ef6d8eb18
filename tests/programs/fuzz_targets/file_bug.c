/* @@ is the path of a file of any size that holds the input.
   expect: unsafe
   options: --input-size 4
   args: -x @@
   native: none (a fuzzer gives the file) */
#include <assert.h>
#include <stdio.h>

int main(int count, char **words) {
  char bytes[8];
  assert(count == 3);
  FILE *file = fopen(words[2], "rb");
  if (!file)
    return 1;
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  assert(size <= 4);
  if (size == 3 && bytes[0] == 'k')
    assert(bytes[2] != 'y'); /* BUG: assert */
  return 0;
}
