/* expect: safe */
#include <stdlib.h>
#include "unfork.h"

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 4; i++) {
    unsigned char choice;
    unfork_symbolic(&choice, 1, "choice");
    struct node *made = malloc(sizeof *made);
    made->value = 7;
    if (choice & 1) {
      made->next = list;
      list = made;
    } else {
      free(made);
    }
    if (choice & 2)
      free(malloc(sizeof *list));
  }
  int count = 0;
  while (list) {
    struct node *first = list;
    list = first->next;
    free(first);
    count++;
  }
  return 1 / (count - 5) > 1;
}
