/* expect: safe
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  int ends[2];
  char *text = malloc(2);
  pipe(ends);
  write(ends[1], "abc", 3);
  read(ends[0], text, 2);
  free(text);
  return 0;
}
