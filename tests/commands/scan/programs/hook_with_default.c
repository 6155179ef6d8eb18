/* A function that callers may set gives what is tested wrongly; one that they cannot set is the project's own.
   scan: conditional null-dereference 14
   scan: certain out-of-bounds 15 */
#include <stddef.h>

struct hooks { int (*level)(void); };

static int no_level(void) { return 0; }
static struct hooks hooks = {no_level}, fixed = {no_level};
void set_level(int (*level)(void)) { hooks.level = level ? level : no_level; }

static const char names[3] = {'a', 'b', 'c'};
char level_name(void) {
  int level = hooks.level();
  return level >= 0 && level <= 3 ? names[level] : '?';
}

void reset(void) { fixed.level = no_level; }
char fixed_name(void) {
  int level = fixed.level == NULL ? 0 : fixed.level();
  return level >= 0 && level <= 3 ? names[level] : '?';
}
