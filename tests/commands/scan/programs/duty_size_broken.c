/* One call takes more than its array has.
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

int of_name(void) {
  char name[16] = "a b c";
  return blanks(name, sizeof name);
}

int of_letter(int letter) {
  char name[2] = {(char)letter, 0};
  return blanks(name, 16);
}
