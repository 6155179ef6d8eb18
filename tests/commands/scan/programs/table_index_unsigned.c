/* Every byte has its place in the table.
   scan: nothing */
static const unsigned char is_space[256] = {[' '] = 1, ['\t'] = 1, ['\n'] = 1};

int starts_with_space(const char *s) {
  return s != 0 && is_space[(unsigned char)*s];
}
