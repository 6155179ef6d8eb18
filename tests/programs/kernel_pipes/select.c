/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <sys/select.h>

int main(void) {
  int ends[2];
  fd_set in, out;
  assert(pipe(ends) == 0);
  FD_ZERO(&in);
  FD_ZERO(&out);
  FD_SET(ends[0], &in);
  FD_SET(ends[1], &out);
  assert(select(ends[1] + 1, &in, &out, 0, 0) == 1 && !FD_ISSET(ends[0], &in) && FD_ISSET(ends[1], &out));
  struct timeval short_time = {0, 1000};
  FD_SET(ends[0], &in);
  assert(select(ends[0] + 1, &in, 0, 0, &short_time) == 0);
  FD_SET(ends[0], &in);
  assert(write(ends[1], "x", 1) == 1 && select(ends[0] + 1, &in, 0, 0, 0) == 1 && FD_ISSET(ends[0], &in));
  return 0;
}
