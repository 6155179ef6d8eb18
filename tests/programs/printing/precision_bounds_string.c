/* With a precision the string needs no end.
   expect: safe
   paths: 1
   native: asan */
#include <stdio.h>

int main(void) {
  char raw[3] = {'a', 'b', 'c'};
  printf("%.3s %.*s\n", raw, 2, raw);
  return 0;
}
