/* Every call takes the limit from the text, which may hold NULs: so far no rule knows the pair by its names.
   scan: conditional out-of-bounds 9 */
#include <string.h>

int blanks(const char *text, int limit) {
  int found = 0;
  if (limit < 0 || limit > 64) return -1;
  for (int i = 0; i < limit; i++) {
    if (text[i] == 0) continue;
    if (text[i] == ' ') found++;
  }
  return found;
}

int of_name(void) {
  char name[16] = "a b c";
  return blanks(name, sizeof name);
}

int of_text(const char *text) { return blanks(text, (int)strlen(text) + 1); }

int of_pair(const char *text, int limit) { return blanks(text, limit); }
