/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stddef.h>
#include <string.h>

struct __attribute__((packed)) record {
  char kind;
  int length;
  short check;
};

int main(void) {
  struct record r = {1, 0x11223344, 0x5566};
  unsigned char raw[7];
  assert(sizeof r == 7 && offsetof(struct record, length) == 1);
  memcpy(raw, &r, sizeof r);
  assert(raw[0] == 1 && raw[1] == 0x44 && raw[4] == 0x11 && raw[5] == 0x66);
  r.length++;
  assert(r.length == 0x11223345 && r.kind == 1 && r.check == 0x5566);
  return 0;
}
