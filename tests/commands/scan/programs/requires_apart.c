/* A copy needs a source that is apart from its goal, if there is something to copy at all.
   scan: nothing certain */
#include <stddef.h>
#include <string.h>

struct window { char *hint; size_t room; };

void set_hint(struct window *w, const char *hint) {
  if (w->hint == NULL || w->room == 0)
    return;
  strncpy(w->hint, hint, w->room);
}
