/* What the program does to its environment holds, whether a variable was set before or not.
   expect: safe
   options: --libc musl --sym-env A 2 --sym-env B 1
   assumed: C is not set; --sym-env C 16
   native: none (asks for an environment) */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int clearenv(void);

int main(void) {
  static char own[] = "B=own";
  int before = getenv("A") != 0;
  assert(!setenv("A", "new", 0) && before == !!strcmp(getenv("A"), "new") | !strcmp(getenv("A"), "new"));
  assert(!setenv("A", "newer", 1) && !strcmp(getenv("A"), "newer"));
  assert(!unsetenv("A") && !getenv("A"));
  assert(!putenv(own) && getenv("B") == own + 2);
  own[2] = 'O';
  assert(!strcmp(getenv("B"), "Own"));
  assert(!getenv("C"));
  assert(!clearenv() && !getenv("B"));
  return 0;
}
