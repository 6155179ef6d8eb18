/* The last pointer to a block is overwritten in memory.
   expect: unsafe
   options: --data-model ILP32 --check leak
   native: none (for 32 bits) */
#include <stdlib.h>

static struct { char tag; int *numbers; } holder;

int main(void) {
  holder.numbers = malloc(40); /* BUG: leak */
  holder.numbers = malloc(4);
  return 0;
}
