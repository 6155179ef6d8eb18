/* expect: safe
   paths: 1
   native: asan */
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#include <time.h>

int main(void) {
  char text[64];
  time_t when = 951782400; /* the 29th of February 2000 */
  struct tm broken, *same = gmtime_r(&when, &broken);
  assert(same == &broken && broken.tm_mon == 1 && broken.tm_mday == 29 && broken.tm_wday == 2 && broken.tm_yday == 59);
  assert(strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %b %j", &broken) == 31);
  assert(strcmp(text, "2000-02-29 00:00:00 Tue Feb 060") == 0);
  assert(timegm(&broken) == when && difftime(when + 5, when) == 5.0);
  assert(strcmp(asctime_r(&broken, text), "Tue Feb 29 00:00:00 2000\n") == 0);
  assert(strptime("1999-12-31", "%Y-%m-%d", &broken) && broken.tm_year == 99 && broken.tm_mday == 31);
  assert(time(0) > 0 && clock() >= 0);
  return 0;
}
