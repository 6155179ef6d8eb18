/* A character of a text is negative where it is no ASCII.
   scan: certain out-of-bounds 7 */
static const unsigned char is_space[128] = {[' '] = 1, ['\t'] = 1, ['\n'] = 1};

unsigned long skip_space(const char *s) {
  unsigned long n = 0;
  while (is_space[(int)s[n]]) n++;
  return n;
}
