/* Each thread has a file, but both read into one buffer.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>
#include <stdio.h>

static char line[64];

static void *run(void *name) {
  FILE *page = fopen(name, "r");
  if (page) {
    fgets(line, sizeof line, page); /* BUG: data-race */
    fclose(page);
  }
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, run, "/dev/zero");
  pthread_create(&two, 0, run, "/dev/zero");
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
