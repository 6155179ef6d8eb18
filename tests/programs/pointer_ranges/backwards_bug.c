/* Blanks are dropped from the end on, also those before the beginning.
   expect: unsafe
   options: --function trimmed --sizes pair 
   native: none (a function that is run alone) */
long trimmed(const char *text, const char *end) {
  if (end == text) return 0;
  if (end - text > 5) return -1;
  while (end[-1] == ' ') end--; /* BUG: out-of-bounds */
  return end - text;
}
