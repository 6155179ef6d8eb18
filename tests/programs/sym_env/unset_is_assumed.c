/* Nothing is said of the variable, so what is safe rests on it.
   expect: safe
   paths: 1
   assumed: HOME_TOWN is not set; --sym-env HOME_TOWN 16
   native: none (asks for an environment) */
#include <stdlib.h>
#include <string.h>

int main(void) {
  char town[8];
  const char *given = getenv("HOME_TOWN");
  if (given) strcpy(town, given);
  return 0;
}
