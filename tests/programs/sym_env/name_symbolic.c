/* The name that is asked for depends on an input.
   expect: safe
   options: --libc musl --sym-env A 1
   assumed: a variable whose name is symbolic is not set; --sym-env NAME LEN
   native: none (asks for an environment) */
#include <stdlib.h>
#include <unfork.h>

int main(void) {
  char name[2] = {0};
  unfork_symbolic(name, 1, "name");
  const char *value = getenv(name);
  unfork_check(!value || name[0] == 'A');
  return 0;
}
