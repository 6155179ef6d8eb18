/* The list of the caller has the block.

   report: not reachable
*/
#include <stdlib.h>
struct node {
    int value;
    struct node *next;
};
struct list {
    struct node *first;
};
int push(struct list *list, int value)
{
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        return -1;
    node->value = value;
    node->next = list->first;
    list->first = node;
    return 0;
}
