/* Nobody asked for arguments and an input, so there are none.
   expect: safe
   paths: 1
   assumed: standard input is empty; --sym-stdin 16
   assumed: the program is started without arguments; --sym-args 0 2 8
   native: none (it would find others) */
#include <stdio.h>
#include <string.h>

int main(int count, char **words) {
  char text[4], line[64];
  if (count > 1) strcpy(text, words[1]);
  if (fgets(line, sizeof line, stdin)) strcpy(text, line);
  return 0;
}
