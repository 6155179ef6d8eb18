/* It fails for each text but null. That the other pointer has to be null, the code tests.
   scan: certain double-free 8 */
#include <stdlib.h>

void end_of_own(char *text, const int *owner) {
  if (owner != NULL) return;
  free(text);
  free(text);
}
