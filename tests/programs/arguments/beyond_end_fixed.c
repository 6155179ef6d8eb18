/* expect: safe
   args: one
   native: asan */
#include <assert.h>
#include <string.h>

int main(int argc, char **argv) {
  unsigned long n = argv[argc] ? strlen(argv[argc]) : strlen(argv[argc - 1]);
  assert(n == 3);
  return 0;
}
