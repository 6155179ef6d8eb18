/* expect: safe */
extern void reach_error(void);
#define assert(condition) ((condition) ? (void)0 : reach_error())
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };

int main(void) {
    struct node *held = NULL;
    while (__VERIFIER_nondet_int()) {
        if (held == NULL) {
            held = malloc(sizeof *held);
            if (held == NULL) return 0;
            held->value = 5;
        } else {
            assert(held->value == 5);
            free(held);
            held = NULL;
        }
    }
    free(held);
    return 0;
}
