/* The library itself allocates: what duplocale, newlocale, posix_spawn's lists and tzset call is the heap of malloc.
   expect: safe
   paths: 1
   native: asan */
#define _GNU_SOURCE
#include <assert.h>
#include <locale.h>
#include <spawn.h>
#include <stdlib.h>

int main(void) {
  locale_t plain = newlocale(LC_ALL_MASK, "C", 0);
  assert(plain);
  locale_t copy = duplocale(plain);
  assert(copy);
  freelocale(copy);
  posix_spawn_file_actions_t actions;
  assert(posix_spawn_file_actions_init(&actions) == 0);
  assert(posix_spawn_file_actions_addclose(&actions, 3) == 0);
  assert(posix_spawn_file_actions_destroy(&actions) == 0);
  return 0;
}
