/* A line of a caller's file begins with NUL, and then nothing is in front of its end.
   scan: certain out-of-bounds 11 */
#include <stdio.h>
#include <string.h>
struct reader { FILE *file; int lines; };

int ends(struct reader *r) {
  char line[8];
  if (!r || !r->file || !fgets(line, sizeof line, r->file))
    return -1;
  return line[strlen(line) - 1] == '\n';
}
