/* A line of memory in the caches of PROCESSORS processors under the MESI protocol, with reads, writes and evictions for
   ever: who may write is alone, and whoever reads sees what was written last.

   expect: safe
   native: none (it does not end)
*/
#include <assert.h>

#ifndef PROCESSORS
#define PROCESSORS 3
#endif

extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);

enum line { INVALID, SHARED, EXCLUSIVE, MODIFIED };

static enum line lines[PROCESSORS];
static _Bool cached[PROCESSORS], memory, latest;

/* The others give the line up or share it; a modified one is written back. Whether anybody has it still. */
static int snoop(unsigned self, enum line left) {
  int others = 0;

  for (unsigned i = 0; i < PROCESSORS; ++i) {
    if (i == self || lines[i] == INVALID)
      continue;
    if (lines[i] == MODIFIED)
      memory = cached[i];
    lines[i] = left;
    others += left != INVALID;
  }
  return others;
}

int main(void) {
  while (1) {
    unsigned self = __VERIFIER_nondet_uint() % PROCESSORS, owners = 0, users = 0;

    switch (__VERIFIER_nondet_uint() % 3) {
    case 0:
      if (lines[self] == INVALID) {
        lines[self] = snoop(self, SHARED) ? SHARED : EXCLUSIVE;
        cached[self] = memory;
      }
      assert(cached[self] == latest);
      break;
    case 1:
      if (lines[self] < EXCLUSIVE)
        snoop(self, INVALID);
      lines[self] = MODIFIED;
      cached[self] = latest = __VERIFIER_nondet_bool();
      break;
    default:
      if (lines[self] == MODIFIED)
        memory = cached[self];
      lines[self] = INVALID;
    }
    for (unsigned i = 0; i < PROCESSORS; ++i) {
      owners += lines[i] >= EXCLUSIVE;
      users += lines[i] != INVALID;
    }
    assert(owners == 0 || users == 1);
  }
}
