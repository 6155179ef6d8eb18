/* The index fits one array only, and the pointer is known to be to that one: the other is no reason to end the path.
   expect: unsafe
   native: asan
   input: c=0 i=1500 */
#include <assert.h>
#include <unfork.h>

static char small[400], large[4000];

int main(void) {
    unsigned c, i;
    unfork_symbolic(&c, sizeof c, "c");
    unfork_symbolic(&i, sizeof i, "i");
    char *arrays[2] = {large, small};
    if (c > 1 || i < 1000 || i >= 4000) {
        return 0;
    }
    large[1500] = 7;
    char *chosen = arrays[c];
    if (c == 1) {
        return 0;
    }
    assert(chosen[i] != 7); /* BUG: assert */
    return 0;
}
