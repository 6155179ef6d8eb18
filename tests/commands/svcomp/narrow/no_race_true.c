/* A list that one thread extends and another reads afterwards.
   property: no-data-race
   answer: true */
#include <pthread.h>
#include <stdlib.h>

struct node {
  struct node *next;
  long value;
} *list;

void *extend(void *argument) {
  struct node *node = malloc(sizeof *node);
  if (!node) abort();
  node->value = 1;
  node->next = list;
  list = node;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, extend, 0);
  long sum = 0;
  pthread_join(thread, 0);
  for (struct node *node = list; node; node = node->next) sum += node->value;
  free(list);
  return sum > 1;
}
