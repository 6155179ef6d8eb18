/* Pointers that are stored as pointers and read as integers, and the other way around.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdint.h>
#include <string.h>

union word {
  int *pointer;
  uintptr_t number;
  unsigned char bytes[8];
};
int global = 7;

static long sum(int count, ...) {
  __builtin_va_list list;
  __builtin_va_start(list, count);
  long total = 0;
  while (count--) total += *(int *)__builtin_va_arg(list, uintptr_t);
  __builtin_va_end(list);
  return total;
}

int main(void) {
  int local = 5;
  volatile union word word, copy;
  word.pointer = &global;
  assert(word.number == (uintptr_t)&global);
  word.number = (uintptr_t)&local;
  assert(word.pointer == &local && *word.pointer == 5);
  for (int i = 0; i < 8; i++) copy.bytes[i] = word.bytes[i];
  assert(copy.pointer == &local && copy.number == (uintptr_t)&local);
  int *pointer = &global, *other;
  uintptr_t number;
  memcpy(&number, &pointer, sizeof number);
  assert(number == (uintptr_t)pointer && *(int *)number == 7);
  number += 0;
  memcpy(&other, &number, sizeof other);
  assert(other == pointer && *other == 7);
  assert(sum(2, &global, &local) == 12 && sum(1, (uintptr_t)&local) == 5);
  copy.pointer = 0;
  assert(copy.number == 0);
  return 0;
}
