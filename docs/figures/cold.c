/* The flag is only returned at the end: nothing branches on it. */
#include "unfork.h"

int main(void) {
  char word[3];
  int flag = 0, seen = 0, i;

  unfork_symbolic(word, sizeof word, "word");
  if (word[0] == '-')
    flag = 1;
  for (i = 1; i < 3; i++)
    if (word[i] == 'x')
      seen++;
  return flag + seen;
}
