/* Conversions to bool, and bools that are made of others. */
#include <stdbool.h>

#include "unfork.h"

struct flags {
  bool ready;
  unsigned wide : 3;
  bool last;
};

static bool is_set(unsigned bits, int at) { return bits >> at & 1; }

static bool is_done(const struct flags *flags) {
  return flags->ready && !flags->last;
}

int main(void) {
  unsigned bits;
  struct flags flags;
  unfork_symbolic(&bits, sizeof bits, "bits");
  flags.ready = is_set(bits, 0);
  flags.wide = bits >> 3 & 7;
  flags.last = bits & 0x100;
  bool any = bits;
  bool wide = flags.wide > 3;
  bool all = flags.ready && flags.last && wide;
  bool some = flags.ready || flags.last || flags.wide;
  bool odd = flags.ready != flags.last;
  bool none = !any;
  bool yes = bits > 7 ? true : false;
  bool no = !(bool)(bits & 2) || is_done(&flags);
  if (all == some)
    return 1;
  if (odd && !none)
    return is_done(&flags) ? 2 : 3;
  if ((any && yes) || no)
    return (bool)bits + 4;
  return 6;
}
