/* A parser of ratios such as "12/5" that forgets that the number after the slash may be zero.

     unfork run examples/ratio.c          one error (a division by zero), exit status 1

   expect: unsafe
   native: asan
*/
#include "unfork.h"

#define LENGTH 5

/* Reads digits, leaves `*text` after them; -1 if there are none. */
static int number(const char **text) {
  int value = -1;

  for (; **text >= '0' && **text <= '9'; ++*text)
    value = (value < 0 ? 0 : value * 10) + (**text - '0');
  return value;
}

/* The value of a ratio in percent; -1 if the text is not a ratio. */
static int percent(const char *text) {
  int above, below;

  above = number(&text);
  if (above < 0 || *text++ != '/')
    return -1;
  below = number(&text);
  if (below < 0 || *text != '\0')
    return -1;
  return above * 100 / below; /* BUG: div-by-zero */
}

int main(void) {
  char text[LENGTH + 1];

  unfork_symbolic(text, sizeof text, "text");
  text[LENGTH] = '\0';
  return percent(text) == 150;
}
