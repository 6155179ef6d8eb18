/* A text of any length is printed, and after it a byte that was never written.
   scan: certain uninitialised 9 */
#include <stdio.h>

int said(const char *name) {
  char end[2];
  end[1] = 0;
  fputs(name, stderr);
  return fputs(end, stderr);
}
