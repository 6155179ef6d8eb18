/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }

int main(void) {
  int (*const table[])(int, int) = {add, subtract, multiply};
  static const int expected[] = {9, 5, 14};
  for (int i = 0; i < 3; i++) assert(table[i](7, 2) == expected[i]);
  return 0;
}
