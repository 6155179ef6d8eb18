/* While a thread has locked a stream, no other prints to it.
   expect: safe
   native: none (it has nothing to find) */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *page;

static void *both(void *unused) {
  flockfile(page);
  putc_unlocked('a', page);
  fputs("b", page);
  funlockfile(page);
  return unused;
}

static void *one_more(void *unused) {
  putc('c', page);
  return unused;
}

int main(void) {
  pthread_t one, two;
  page = tmpfile();
  if (!page)
    return 1;
  pthread_create(&one, 0, both, 0);
  pthread_create(&two, 0, one_more, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  rewind(page);
  char text[4];
  assert(fread(text, 1, 3, page) == 3);
  assert((text[0] == 'a' && text[1] == 'b') || (text[1] == 'a' && text[2] == 'b'));
  fclose(page);
  return 0;
}
