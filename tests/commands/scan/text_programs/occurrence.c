/* The file name after "://" and the next slash may be empty.
   scan: certain out-of-bounds 11 */
#include <string.h>

char last_of_host(const char *url) {
  char host[8];
  const char *p = strstr(url, "://");
  if (!p || strlen(p + 3) >= sizeof host)
    return 0;
  strcpy(host, p + 3);
  return host[strlen(host) - 1];
}
