/* Symbolic and known variables, by all ways that lead to them: each choice of those that are set comes, and no other.
   expect: unsafe
   options: --libc musl --sym-env A 1 --sym-env B 2 --env K=fixed
   native: none (asks for an environment) */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

int main(int count, char **words, char **table) {
  int number = 0;
  for (char **one = table; *one; one++) number++;
  assert(table == environ);
  const char *a = getenv("A"), *b = getenv("B"), *k = getenv("K");
  assert(k && !strcmp(k, "fixed"));
  assert(number == 1 + !!a + !!b);
  assert(!getenv("C") && !getenv("AA"));
  assert(!a || strlen(a) < 2);
  if (a && !b) abort(); /* BUG: abort */
  if (b && !a && b[0] == 'x' && b[1] == 'y') assert(0); /* BUG: assert */
  if (a && b && a[0] == 'p' && !b[0]) return ((int *)0)[0]; /* BUG: null-dereference */
  return 0;
}
