/* The flag decides where the loop begins: each of its turns would ask about it. */
#include "unfork.h"

int main(void) {
  char word[3];
  int flag = 0, seen = 0, i;

  unfork_symbolic(word, sizeof word, "word");
  if (word[0] == '-')
    flag = 1;
  for (i = flag; i < 2; i++)
    if (word[i] == 'x')
      seen++;
  return seen;
}
