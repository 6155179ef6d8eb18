/* The last item leaves the queue, which keeps it as its tail: what comes next is written there. No object at all shows
   that to one function alone; three calls do.
   scan: certain use-after-free 19 */
#include <stdlib.h>
struct item { struct item *next; int value; };
struct queue { struct item *head, *tail; };

struct queue *queue_new(void)
{
    return calloc(1, sizeof(struct queue));
}

int queue_add(struct queue *queue, int value)
{
    struct item *item = calloc(1, sizeof *item);
    if (item == NULL) return -1;
    item->value = value;
    if (queue->tail != NULL)
        queue->tail->next = item;
    else
        queue->head = item;
    queue->tail = item;
    return 0;
}

int queue_take(struct queue *queue)
{
    struct item *item = queue->head;
    if (item == NULL) return -1;
    int value = item->value;
    queue->head = item->next;
    free(item);
    return value;
}
