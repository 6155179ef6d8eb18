/* The next node is asked of a node that was just freed.
   scan: certain use-after-free 10 */
#include <stdlib.h>

struct node { struct node *next; };

void free_nodes(struct node *list) {
  while (list != NULL) {
    free(list);
    list = list->next;
  }
}
