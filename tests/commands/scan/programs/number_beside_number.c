/* One position is compared with another. Neither is compared with anything that says how long the word is.
   scan: conditional out-of-bounds 8 */
int vowels(const char *word, int first, int last) {
  int count = 0;
  if (first >= last) {
    return 0;
  }
  for (int at = first; at < last && (word[at] == 'a' || word[at] == 'e'); at++) {
    count++;
  }
  return count;
}
