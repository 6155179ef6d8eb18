/* Loops that print, and end by what only printing changes: a count, the buffer that the program gave, a file's size.
   expect: safe
   options: --check nontermination */
#include <stdio.h>
#include <string.h>

static char own[256];

int main(void) {
  unsigned written = 0;
  while (written < 3000)
    written += printf("tick\n");

  setvbuf(stderr, own, _IOFBF, sizeof own);
  while (own[203] != 'k')
    fputs("tock", stderr);

  FILE *file = tmpfile();
  if (!file)
    return 1;
  while (ftell(file) < 500)
    fputs("tick", file);
  rewind(file);
  int lines = 0;
  while (getc(file) != EOF)
    putchar(lines++ % 2 ? '+' : '-');
  fclose(file);

  char text[8] = "";
  for (int i = 0; strcmp(text, "1000"); i++)
    sprintf(text, "%d", i);
  return lines != 500;
}
