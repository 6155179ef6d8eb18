/* calloc of a symbolic size, then a larger block: what the first did not have is not zero.
   expect: unsafe
   native: none (a value that nobody wrote) */
#include <assert.h>
#include <stdlib.h>
#include <unfork.h>

int main(void) {
    unsigned size;
    unfork_symbolic(&size, sizeof size, "size");
    if (size < 1 || size > 8) {
        return 0;
    }
    char *block = calloc(size, 1);
    block = realloc(block, 16);
    if (size > 4) {
        assert(block[4] == 0);
    }
    if (size == 2) {
        assert(block[4] == 0); /* BUG: assert */
    }
    free(block);
    return 0;
}
