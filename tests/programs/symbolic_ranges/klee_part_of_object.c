/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <klee/klee.h>

int main(void) {
  char text[8] = "abcdefg";
  klee_make_symbolic(text + 1, 2, "part");
  assert(text[0] == 'a' && text[3] == 'd' && text[7] == 0);
  return 0;
}
