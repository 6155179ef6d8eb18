/* strtok over a symbolic text.
   expect: safe
   native: asan */
#include <string.h>
#include "unfork.h"

int main(void) {
  char s[5];
  unfork_symbolic(s, 4, "s");
  s[4] = 0;
  int tokens = 0;
  for (char *token = strtok(s, " "); token; token = strtok(NULL, " ")) {
    unfork_check(*token != 0 && *token != ' ');
    tokens++;
  }
  unfork_check(tokens <= 2);
  return 0;
}
