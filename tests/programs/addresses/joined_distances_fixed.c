/* A buffer's pointers are null until something is put in. What joined paths put in lies at a distance that is a
   difference of two choices.
   expect: safe
   native: asan
   paths: 4 */
#include <stdlib.h>
#include "unfork.h"

struct buffer {
  char *at, *from, *end, *bytes;
};

static int in(void) {
  unsigned char x;
  unfork_symbolic(&x, 1, "x");
  return x & 1;
}

static void put(struct buffer *b, char c) {
  if (!b->at) b->at = b->from = b->bytes;
  *b->at++ = c;
}

static void turn(struct buffer *b) {
  if (b->at != b->from) b->end = b->bytes + (b->at - b->from);
  b->at = b->from = b->bytes;
}

static int take(struct buffer *b) { return b->at != b->end ? *b->at++ : -1; }

int main(void) {
  struct buffer *b = calloc(1, sizeof *b);
  b->bytes = malloc(8);
  b->end = b->bytes;
  if (in()) put(b, 'a');
  if (in()) put(b, 'b');
  turn(b);
  int first = take(b), second = take(b);
  unfork_check(first != -1 || second == -1);
  unfork_check(b->end - b->bytes <= 2);
  free(b->bytes);
  free(b);
  return 0;
}
