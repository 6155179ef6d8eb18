/* A queue that is full has some room to be doubled: its pointers are never all equal, or null.
   scan: conditional null-dereference 11
   scan: conditional out-of-bounds 19 */
#include <stdlib.h>
struct queue {
  int *start;
  int *end;
  int *tail;
};

void put(struct queue *queue, int value) {
  if (queue->tail == queue->end) {
    size_t size = (size_t)((char *)queue->end - (char *)queue->start);
    int *more = malloc(size ? 2 * size : 1);
    queue->start = more;
    queue->tail = more + size / sizeof(int);
    queue->end = more + 2 * size / sizeof(int);
  }
  *queue->tail++ = value;
}
