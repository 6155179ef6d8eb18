/* A quote is looked for up to the end, and then the character behind it is taken, though the quote may be the last.
   scan: certain out-of-bounds 6 */
int after_quote(const char *text, const char *end) {
  for (; text < end; text++)
    if (*text == '"')
      return text[1];
  return -1;
}
