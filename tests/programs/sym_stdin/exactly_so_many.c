/* Standard input has exactly N bytes, zeros among them, and then ends.
   expect: safe
   options: --libc musl --sym-stdin 3
   native: none (asks for symbolic input) */
#include <assert.h>
#include <unistd.h>

int main(void) {
  char bytes[8];
  assert(read(0, bytes, 2) == 2);
  assert(read(0, bytes + 2, 6) == 1);
  assert(read(0, bytes, 1) == 0);
  return 0;
}
