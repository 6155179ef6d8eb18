/* Self-relative pointers: 32 bits that say how far the target is from where they are.
   expect: safe
   native: gcc */
#include <assert.h>
#include <stdint.h>
#include "unfork.h"

struct node {
  int32_t next;
  int value;
};
static struct node nodes[4];
static struct node apart;

static void link_to(struct node *from, struct node *to) { from->next = to ? (int32_t)((intptr_t)to - (intptr_t)from) : 0; }
static struct node *following(struct node *from) {
  return from->next ? (struct node *)((intptr_t)from + from->next) : 0;
}

int main(void) {
  unsigned char picked;
  unfork_symbolic(&picked, 1, "picked");
  for (int i = 0; i < 4; i++) nodes[i].value = i;
  apart.value = 9;
  link_to(&nodes[0], &nodes[3]);
  link_to(&nodes[3], &apart);
  link_to(&apart, picked ? &nodes[1] : &nodes[2]);
  int sum = 0;
  for (struct node *n = nodes; n; n = following(n)) sum = 10 * sum + n->value;
  assert(sum == (picked ? 391 : 392));
  return 0;
}
