/* One thread closes the file that the other writes to.
   expect: unsafe
   native: none (it depends on the schedule) */
#include <pthread.h>
#include <stdio.h>

static FILE *page;

static void *write_it(void *unused) {
  fputs("x", page); /* BUG: use-after-free */
  return unused;
}

static void *close_it(void *unused) {
  fclose(page);
  return unused;
}

int main(void) {
  pthread_t one, two;
  page = tmpfile();
  if (!page)
    return 1;
  pthread_create(&one, 0, write_it, 0);
  pthread_create(&two, 0, close_it, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
