/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

int main(void) {
  int cells[2] = {1, 2};
  __asm__ volatile("" : : "g"(cells) : "memory");
  cells[0] += cells[1];
  __asm__ volatile("" : "+m"(cells[0]));
  assert(cells[0] == 3);
  return 0;
}
