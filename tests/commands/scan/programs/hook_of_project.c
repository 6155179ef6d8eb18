/* Only the project sets these pointers to functions: one of them to a function with a result that is tested wrongly.
   scan: certain out-of-bounds 21 */
#include <stddef.h>

static const int weights[4] = {1, 2, 3, 4};
static int three(int n) { return n < 3 ? n & 3 : 3; }
static int four(int n) { return n < 4 ? n & 3 : 4; }

static int (*kind_of)(int);
void set_kind_of(void) { kind_of = three; }
int weight(int n) {
  int kind = kind_of == NULL ? 0 : kind_of(n);
  return kind >= 0 && kind <= 4 ? weights[kind] : 0;
}

static int (*mode)(int) = three;
void set_mode(int is_wide) { mode = is_wide ? four : three; }
int weight_in_mode(int n) {
  int kind = mode == NULL ? 0 : mode(n);
  return kind >= 0 && kind <= 4 ?
    weights[kind] : 0;
}
int (*const modes[2])(int) = {three, four};
