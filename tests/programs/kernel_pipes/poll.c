/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <poll.h>

int main(void) {
  int ends[2];
  assert(pipe(ends) == 0);
  struct pollfd asked[] = {{ends[0], POLLIN, 0}, {ends[1], POLLOUT, 0}, {-1, POLLIN, 0}};
  assert(poll(asked, 3, -1) == 1 && !asked[0].revents && asked[1].revents == POLLOUT && !asked[2].revents);
  assert(poll(asked, 1, 0) == 0);
  assert(write(ends[1], "x", 1) == 1 && poll(asked, 1, -1) == 1 && asked[0].revents == POLLIN);
  close(ends[1]);
  assert(poll(asked, 2, 0) == 2 && asked[0].revents == (POLLIN | POLLHUP) && asked[1].revents == POLLNVAL);
  return 0;
}
