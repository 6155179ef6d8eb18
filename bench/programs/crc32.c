/* The CRC-32 of zlib, a table look-up per byte, over LENGTH bytes in ROUNDS rounds (each goes on from the one before).
   Everything is concrete. The expected value is what Python's zlib.crc32 gives for the same bytes.

   expect: safe
   paths: 1
   native: asan
*/
#include <assert.h>
#include <stdint.h>

#define LENGTH 100000
#define ROUNDS 5
#define POLYNOMIAL 0xEDB88320u
#define EXPECTED 0x4E9A1DC8u

static uint32_t table[256];
static uint8_t data[LENGTH];

static void fill_table(void) {
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit)
      value = value & 1 ? (value >> 1) ^ POLYNOMIAL : value >> 1;
    table[byte] = value;
  }
}

static uint32_t crc32(uint32_t before, const uint8_t *bytes, uint32_t length) {
  uint32_t value = ~before;

  for (uint32_t i = 0; i < length; ++i)
    value = table[(value ^ bytes[i]) & 0xFF] ^ (value >> 8);
  return ~value;
}

int main(void) {
  uint32_t value = 0;

  fill_table();
  for (uint32_t i = 0; i < LENGTH; ++i)
    data[i] = (uint8_t)(i * 7 + (i >> 8));
  for (int round = 0; round < ROUNDS; ++round)
    value = crc32(value, data, LENGTH);
  assert(value == EXPECTED);
  return 0;
}
