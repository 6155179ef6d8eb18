/* A validator of ISBN-10 with hyphens anywhere and X for ten in the last place. That there are ten digits is checked at
   the end, after an eleventh has been stored.

   expect: unsafe
   native: asan
   input: text="0-306-40615-21"
*/
#include <assert.h>

#include "unfork.h"

#ifndef LENGTH
#define LENGTH 14
#endif

static int is_valid(const char *text) {
  int digits[10], count = 0, sum = 0;

  for (; *text != '\0'; ++text) {
    if (*text == '-')
      continue;
    if (*text >= '0' && *text <= '9')
      digits[count++] = *text - '0'; /* BUG: out-of-bounds */
    else if (*text == 'X' && count == 9)
      digits[count++] = 10;
    else
      return 0;
  }
  if (count != 10)
    return 0;
  for (int i = 0; i < 10; ++i)
    sum += (10 - i) * digits[i];
  return sum % 11 == 0;
}

int main(void) {
  char text[LENGTH + 1];

  unfork_symbolic(text, sizeof text, "text");
  text[LENGTH] = '\0';
  return is_valid(text);
}
