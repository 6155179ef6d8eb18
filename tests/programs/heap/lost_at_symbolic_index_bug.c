/* The only pointer to the first block is overwritten, at the same symbolic index; the table still holds the second.
   expect: unsafe
   native: asan
   options: --check leak
   input: i=1 */
#include <stdlib.h>
#include <unfork.h>

static char *table[4];

int main(void) {
    unsigned i;
    unfork_symbolic(&i, sizeof i, "i");
    i &= 3;
    table[i] = malloc(3); /* BUG: leak */
    table[(i + 1) & 3] = malloc(4);
    table[i] = NULL;
    return 0;
}
