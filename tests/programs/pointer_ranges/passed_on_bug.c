/* A helper that gets both shows that they bound a range; its caller only passes them on.
   expect: unsafe
   options: --function second --sizes pair 
   native: none (a function that is run alone) */
static int is_digit(const char *at, const char *end) {
  return at < end && *at >= '0' && *at <= '9';
}

int second(const char *text, const char *limit) {
  if (!is_digit(text, limit)) return -1;
  return text[1]; /* BUG: out-of-bounds */
}
