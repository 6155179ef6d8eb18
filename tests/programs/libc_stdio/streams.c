/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *text;
  size_t size;
  FILE *memory = open_memstream(&text, &size);
  assert(memory);
  fprintf(memory, "%s-%d", "line", 1);
  fputc('\n', memory);
  fputs("more", memory);
  assert(fclose(memory) == 0 && size == 11 && strcmp(text, "line-1\nmore") == 0);
  FILE *again = fmemopen(text, size, "r");
  char line[16];
  assert(fgets(line, sizeof line, again) && strcmp(line, "line-1\n") == 0);
  assert(getc(again) == 'm' && ungetc('M', again) == 'M' && getc(again) == 'M');
  assert(fread(line, 1, sizeof line, again) == 3 && feof(again) && !ferror(again));
  fclose(again);
  free(text);
  return 0;
}
