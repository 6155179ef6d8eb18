/* copy_file_range: from file to file, and within one, where the stretches do not overlap.
   expect: safe
   native: asan */
#include "../kernel_scratch.h"
#include "unfork.h"

int main(void) {
  unsigned char count;
  unfork_symbolic(&count, sizeof count, "count");
  enter();
  char bytes[17];
  int from = file_with("from", "abcdefgh"), to = file_with("to", "");
  loff_t start = 2, goal = 1;
  assert(copy_file_range(from, &start, to, &goal, 3, 0) == 3 && start == 5 && goal == 4);
  assert(pread(to, bytes, sizeof bytes, 0) == 4 && !memcmp(bytes, "\0cde", 4));

  ssize_t length = 1 + count % 4;
  start = 0, goal = 8;
  assert(copy_file_range(from, &start, from, &goal, length, 0) == length);
  assert(pread(from, bytes, sizeof bytes, 0) == 8 + length);
  assert(!memcmp(bytes, "abcdefgh", 8) && !memcmp(bytes + 8, "abcd", length));

  start = 0, goal = 3;
  assert(copy_file_range(from, &start, from, &goal, 4, 0) == -1 && errno == EINVAL);
  assert(copy_file_range(from, &start, to, 0, 4, 1) == -1 && errno == EINVAL);
  start = 100;
  assert(copy_file_range(from, &start, to, 0, 4, 0) == 0);

  char *path = canonicalize_file_name(".//from");
  assert(path && !strcmp(path + strlen(path) - 5, "/from"));
  free(path);
  unlink("from"), unlink("to");
  leave();
  return 0;
}
