/* A program that goes through all of its environment takes for granted that there is nothing else.
   expect: safe
   options: --env A=1
   assumed: the environment holds nothing but A; --sym-env NAME LEN
   native: none (asks for an environment) */
#include <string.h>

int main(int count, char **words, char **table) {
  char text[8];
  for (char **one = table; *one; one++) strcpy(text, *one);
  return 0;
}
