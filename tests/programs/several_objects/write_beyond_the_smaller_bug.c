/* The write is split by the offsets that the smaller array has; those that only the larger one has are kept.
   expect: unsafe
   native: asan
   input: c=0 i=900 */
#include <assert.h>
#include <unfork.h>

static char small[300], large[1000];

int main(void) {
    unsigned c, i;
    unfork_symbolic(&c, sizeof c, "c");
    unfork_symbolic(&i, sizeof i, "i");
    char *arrays[2] = {large, small};
    unsigned sizes[2] = {sizeof large, sizeof small};
    if (c > 1 || i >= sizes[c]) {
        return 0;
    }
    arrays[c][i] = 7;
    assert(i != 900); /* BUG: assert */
    return 0;
}
