/* The arguments and the input are what the user says; main looks at no variable.
   expect: safe
   options: --sym-stdin 0
   args: a
   assumed: nothing
   native: none (it would find others) */
#include <stdio.h>
#include <string.h>

int main(int count, char **words) {
  char text[4], line[64];
  if (count > 1) strcpy(text, words[1]);
  if (fgets(line, sizeof line, stdin)) strcpy(text, line);
  return 0;
}
