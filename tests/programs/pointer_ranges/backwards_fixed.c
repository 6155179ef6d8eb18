/* Blanks are dropped from the end on, which a range of blanks alone stops.
   expect: safe
   options: --function trimmed --sizes pair 
   native: none (a function that is run alone) */
long trimmed(const char *text, const char *end) {
  if (end - text > 5) return -1;
  while (end > text && end[-1] == ' ') end--;
  return end - text;
}
