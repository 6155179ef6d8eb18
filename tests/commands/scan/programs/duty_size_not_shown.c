/* The entry ends a text where its user says, within it: nothing shows that there is no byte more.
   scan: nothing */
#include <string.h>
static void end(char *text, unsigned long length) {
  if (!text || length == 0) return;
  text[length] = 0;
}
int cut(char *text, unsigned long (*find)(const char *)) {
  unsigned long at;
  if (!text || !find) return -1;
  at = find(text);
  if (at > strlen(text)) return -1;
  end(text, at);
  return 0;
}
