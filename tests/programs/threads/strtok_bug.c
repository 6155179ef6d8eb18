/* strtok keeps where it stands for all threads: POSIX does not make it safe.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>
#include <string.h>

static void *run(void *unused) {
  char words[] = "one two";
  for (char *word = strtok(words, " "); word; word = strtok(0, " ")) /* BUG: data-race */
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
