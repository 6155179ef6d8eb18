/* Two nodes that change places: each path has a list of two nodes of the same values, linked the other way round.

   expect: unsafe
   native: asan
   input: way=01 noise=00
   input: way=00 noise=00
*/
#include <assert.h>
#include <stdlib.h>

#include "unfork.h"

struct node {
  int value;
  struct node *next;
};

int main(void) {
  char way, noise;
  unfork_symbolic(&way, sizeof way, "way");
  unfork_symbolic(&noise, sizeof noise, "noise");
  struct node *one = malloc(sizeof *one), *other = malloc(sizeof *other);
  one->value = other->value = 4;
  one->next = other->next = 0;
  struct node *list = one;
  if (way) {
    list = other;
    other->next = one;
  } else {
    one->next = other;
  }
  if (noise)
    noise = 1;
  list->next->value = 5;
  int first = one->value, second = other->value;
  free(one);
  free(other);
  assert(first == 4);  /* BUG: assert */
  assert(second == 4); /* BUG: assert */
  return 0;
}
