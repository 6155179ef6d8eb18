/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <time.h>

int main(void) {
  time_t moment = 86400 * 365L;
  struct tm *parts = gmtime(&moment);
  assert(parts->tm_year == 71 && parts->tm_mon == 0 && parts->tm_mday == 1);
  return 0;
}
