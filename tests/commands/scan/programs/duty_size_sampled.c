/* Calls pass numbers that fit, but take none from the text.
   scan: certain out-of-bounds 7 */
int blanks(const char *text, int limit) {
  int found = 0;
  if (limit < 0 || limit > 64) return -1;
  for (int i = 0; i < limit; i++) {
    if (text[i] == 0) continue;
    if (text[i] == ' ') found++;
  }
  return found;
}

int of_name(void) { return blanks("a b c", 3); }

int of_other(void) { return blanks("a longer text", 7); }
