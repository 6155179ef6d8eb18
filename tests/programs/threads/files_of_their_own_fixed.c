/* The library's list of open files is under a lock of its own: opening and closing two files is no race.
   expect: safe
   native: none (it has nothing to find) */
#include <pthread.h>
#include <stdio.h>

static void *run(void *name) {
  FILE *page = fopen(name, "w");
  if (page)
    fclose(page);
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, run, "left.txt");
  pthread_create(&two, 0, run, "right.txt");
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
