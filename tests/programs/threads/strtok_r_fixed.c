/* Each thread keeps for itself where strtok_r stands.
   expect: safe
   native: none (it has nothing to find) */
#include <pthread.h>
#include <string.h>

static void *run(void *unused) {
  char words[] = "one two", *rest;
  for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(0, " ", &rest))
    ;
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, run, 0);
  pthread_create(&two, 0, run, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
