/* expect: safe */
extern void reach_error(void);
#define assert(condition) ((condition) ? (void)0 : reach_error())
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };

int main(void) {
    struct node first = {1, NULL}, second = {2, &first}, *at = &second;
    while (__VERIFIER_nondet_int()) {
        at = at == &first ? &second : &first;
        assert(at->value == 1 || at->value == 2);
    }
    return 0;
}
