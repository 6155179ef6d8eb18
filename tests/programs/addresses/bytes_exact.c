/* The bytes of a pointer are those of its number, however they are read, and bytes that are put together are the pointer.
   expect: safe
   paths: 6
   native: asan */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "unfork.h"

static int values[4];
static int *const constant = &values[2];
union word {
  int *pointer;
  unsigned char bytes[8];
  uint16_t halves[4];
  uint32_t quarters[2];
  double real;
};
struct __attribute__((packed)) packed {
  char tag;
  int *pointer;
};

static void is_number(const void *pointer, const unsigned char *bytes) {
  for (int i = 0; i < 8; i++) assert(bytes[i] == ((uintptr_t)pointer >> 8 * i & 255));
}

static void read_in_parts(int *p) {
  union word w = {p};
  uintptr_t n = (uintptr_t)p;
  is_number(p, w.bytes);
  for (int i = 0; i < 4; i++) assert(w.halves[i] == (n >> 16 * i & 65535));
  assert(w.quarters[0] == (uint32_t)n && w.quarters[1] == n >> 32);
  uint32_t unaligned;
  memcpy(&unaligned, w.bytes + 3, 4);
  assert(unaligned == (uint32_t)(n >> 24));
  unsigned char one;
  memcpy(&one, (char *)&p + 5, 1);
  assert(one == (n >> 40 & 255));
  uint64_t bits;
  memcpy(&bits, &w.real, 8);
  assert(bits == n);
  assert(*w.pointer == *p && w.pointer == p);
  assert(memcmp(&p, &n, 8) == 0 && memcmp((char *)&p + 2, (char *)&n + 2, 5) == 0);
}

static void put_together(int *p) {
  int *copy, *swapped = &values[0];
  for (unsigned i = 0; i < sizeof p; i++) ((char *)&copy)[i] = ((char *)&p)[i];
  assert(copy == p && *copy == *p);
  for (unsigned i = 0; i < sizeof p; i++) {
    char byte = ((char *)&copy)[7 - i];
    ((char *)&copy)[7 - i] = ((char *)&swapped)[7 - i];
    ((char *)&swapped)[7 - i] = byte;
  }
  assert(swapped == p && copy == values && *swapped == *p);
  struct packed s = {1, p}, t;
  for (unsigned i = 0; i < sizeof s; i++) ((char *)&t)[i] = ((char *)&s)[i];
  assert(t.pointer == p);
  is_number(p, (unsigned char *)&s.pointer);
  *(unsigned char *)&copy ^= 4;
  assert(copy == &values[1]);
  ((unsigned char *)&p)[2] ^= 255;
  uintptr_t n = (uintptr_t)swapped ^ 255 << 16;
  assert((uintptr_t)p == n);
  is_number((void *)n, (unsigned char *)&p);
}

int main(void) {
  unsigned char i, c;
  unfork_symbolic(&i, 1, "i");
  unfork_symbolic(&c, 1, "c");
  unfork_assume(i < 4);
  int *block = malloc(16), local[4] = {5, 6, 7, 8};
  memset(block, 1, 16);
  read_in_parts(&values[1]);
  read_in_parts(&values[i]);
  read_in_parts(block + i);
  read_in_parts(c ? block : local + i);
  put_together(block);
  put_together(&values[i]);
  is_number(constant, (unsigned char *)&constant);
  char buffer[16];
  int *chosen = c > 9 ? block : values;
  memcpy(buffer + 8, &chosen, 8);
  is_number(chosen, (unsigned char *)buffer + 8);
  memcpy(buffer + 3, &chosen, 8);
  is_number(chosen, (unsigned char *)buffer + 3);
  int **table = malloc(32);
  table[0] = table[1] = table[2] = table[3] = block;
  table[i] = local;
  ((char *)table)[8 * i] ^= 0;
  is_number(local, (unsigned char *)&table[i]);
  uint32_t hash = 2166136261u, again = hash;
  for (int k = 0; k < 8; k++) hash = (hash ^ ((unsigned char *)&block)[k]) * 16777619u;
  for (int k = 0; k < 8; k++) again = (again ^ (uint32_t)((uintptr_t)block >> 8 * k & 255)) * 16777619u;
  assert(hash == again);
  table = realloc(table, 13);
  unsigned char rest[5];
  memcpy(rest, table + 1, 5);
  uintptr_t second = i == 1 ? (uintptr_t)local : (uintptr_t)block;
  assert(memcmp(rest, &second, 5) == 0);
  free(table);
  free(block);
  return 0;
}
