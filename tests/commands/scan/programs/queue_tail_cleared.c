/* The last item leaves the queue, whose tail is cleared: no sequence of calls comes to an item that is gone.
   scan: nothing */
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
    if (queue->head == NULL) queue->tail = NULL;
    free(item);
    return value;
}
