/* The project makes its queues itself, and never with four waiting: the test is for a full one.
   scan: conditional null-dereference 13
   scan: conditional out-of-bounds 15 */
#include <stdlib.h>

struct queue { int waiting; };

static const int weights[4] = {1, 2, 3, 4};

struct queue *queue_new(void) { return calloc(1, sizeof(struct queue)); }

int queue_weight(const struct queue *queue) {
  int waiting = queue->waiting;
  if (waiting < 0 || waiting > 4) return -1;
  return weights[waiting];
}
