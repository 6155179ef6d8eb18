/* A distance of two objects, cut to 32 bits, leads from the one to the other: a linker puts a program's variables, and
   the stack its locals, within 2^31 bytes of each other.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdint.h>

int a = 1, b = 2;
static int twice(int n) { return 2 * n; }

int main(void) {
  int x = 3, y = 4;
  int off = (int)((intptr_t)&a - (intptr_t)&b);
  assert(*(int *)((intptr_t)&b + off) == 1);
  assert((intptr_t)&b + off == (intptr_t)&a && (int *)((intptr_t)&b + off) == &a);
  off = (int)((intptr_t)&x - (intptr_t)&y);
  *(int *)((intptr_t)&y + off) = 5;
  assert(x == 5);
  long distance = (long)((intptr_t)&a - (intptr_t)&b);
  assert(distance == (int)distance && distance < 1l << 31 && -distance < 1l << 31 && distance != 0);
  assert((uint32_t)(uintptr_t)&a != (uint32_t)(uintptr_t)&b && (uint32_t)(uintptr_t)&x != (uint32_t)(uintptr_t)&y);
  int to_code = (int)((intptr_t)twice - (intptr_t)&a);
  int (*function)(int) = (int (*)(int))((intptr_t)&a + to_code);
  assert(function == twice && function(4) == 8);
  return 0;
}
