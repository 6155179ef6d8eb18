/* A long counts no more than 24,855 days in seconds.
   expect: unsafe
   options: --data-model ILP32 --check overflow
   native: none (for 32 bits) */
#include "unfork.h"

int main(void) {
  long days;
  unfork_symbolic(&days, sizeof days, "days");
  if (days < 0 || days > 30000) return 0;
  long seconds = days * 86400; /* BUG: overflow */
  long long more = days * 86400LL;
  return seconds != more;
}
