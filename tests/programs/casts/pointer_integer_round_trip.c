/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdint.h>

int main(void) {
  int values[4] = {10, 20, 30, 40};
  uintptr_t address = (uintptr_t)&values[1];
  int *back = (int *)address;
  assert(*back == 20);
  int *next = (int *)(address + sizeof(int));
  assert(next == &values[2] && *next == 30);
  assert((address & 3) == 0);
  uintptr_t tagged = address | 1;
  assert(*(int *)(tagged & ~(uintptr_t)1) == 20);
  return 0;
}
