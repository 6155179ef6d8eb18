/* Only where the list runs back into itself is a node freed twice.
   scan: conditional use-after-free 9 */
#include <stdlib.h>

struct node { struct node *next; };

void free_nodes(struct node *list) {
  while (list != NULL) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
}
