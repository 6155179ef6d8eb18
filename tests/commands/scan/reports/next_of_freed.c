/* The loop goes on from the item that it has freed.

   report: confirmed
*/
#include <stdlib.h>
struct item {
    struct item *next;
};
int make_and_drop(unsigned char count)
{
    struct item *first = NULL;
    int dropped = 0;
    for (unsigned i = 0; i < count % 4u; i++) {
        struct item *made = malloc(sizeof *made);
        if (made == NULL)
            break;
        made->next = first;
        first = made;
    }
    for (struct item *item = first; item != NULL; item = item->next) {
        free(item);
        dropped++;
    }
    return dropped;
}
