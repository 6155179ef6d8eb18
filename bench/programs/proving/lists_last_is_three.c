/* expect: safe */
extern void reach_error(void);
#define assert(condition) ((condition) ? (void)0 : reach_error())
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };

int main(void) {
    struct node *head = malloc(sizeof *head), *last = head;
    if (head == NULL) return 0;
    while (__VERIFIER_nondet_int()) {
        last->value = 1;
        last->next = malloc(sizeof *last);
        if (last->next == NULL) return 0;
        last = last->next;
    }
    last->value = 3;
    last->next = NULL;
    for (last = head; last->value == 1; last = last->next) {}
    assert(last->value == 3);
    return 0;
}
