/* SHA-256 (FIPS 180-4) over LENGTH bytes. Everything is concrete. The expected digest is what Python's hashlib gives for
   the same bytes. The constants are computed as the standard defines them: the first 32 bits of the fractional parts of
   cube roots (rounds) and square roots (start) of primes, by integer arithmetic.

   expect: safe
   paths: 1
   native: asan
*/
#include <assert.h>
#include <stdint.h>

#define LENGTH (100 * 1024)
#define BLOCK 64
#define PADDED (LENGTH + BLOCK)

static uint8_t message[PADDED];
static uint32_t round_constant[64];
static uint32_t hash[8];
static const uint32_t expected[8] = {0x859DD86F, 0x18A5C4EA, 0x7E1E6912, 0x10926D01,
                                     0x25EF1F3D, 0x56BB4BDC, 0x61D020B7, 0x1E568D66};

static uint32_t rotated(uint32_t word, int count) { return word >> count | word << (32 - count); }

/* The 32 bits after the point of the square root of a prime below 2^16. */
static uint32_t square_root_fraction(uint32_t prime) {
  uint64_t root = 0;

  for (int bit = 35; bit >= 0; --bit) {
    uint64_t larger = root | (uint64_t)1 << bit;
    if ((unsigned __int128)larger * larger <= (unsigned __int128)prime << 64)
      root = larger;
  }
  return (uint32_t)root;
}

/* The 32 bits after the point of the cube root. */
static uint32_t cube_root_fraction(uint32_t prime) {
  uint64_t root = 0;

  for (int bit = 34; bit >= 0; --bit) {
    uint64_t larger = root | (uint64_t)1 << bit;
    if ((unsigned __int128)larger * larger * larger <= (unsigned __int128)prime << 96)
      root = larger;
  }
  return (uint32_t)root;
}

static void fill_constants(void) {
  int found = 0;

  for (uint32_t number = 2; found < 64; ++number) {
    int is_prime = 1;
    for (uint32_t divisor = 2; divisor * divisor <= number; ++divisor)
      if (number % divisor == 0)
        is_prime = 0;
    if (!is_prime)
      continue;
    round_constant[found] = cube_root_fraction(number);
    if (found < 8)
      hash[found] = square_root_fraction(number);
    ++found;
  }
}

static void absorb(const uint8_t *block) {
  uint32_t schedule[64];
  uint32_t a = hash[0], b = hash[1], c = hash[2], d = hash[3];
  uint32_t e = hash[4], f = hash[5], g = hash[6], h = hash[7];

  for (int i = 0; i < 16; ++i)
    schedule[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 | (uint32_t)block[4 * i + 2] << 8 |
                  block[4 * i + 3];
  for (int i = 16; i < 64; ++i) {
    uint32_t early = schedule[i - 15], late = schedule[i - 2];
    uint32_t s0 = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3;
    uint32_t s1 = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10;
    schedule[i] = schedule[i - 16] + s0 + schedule[i - 7] + s1;
  }
  for (int i = 0; i < 64; ++i) {
    uint32_t s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + round_constant[i] + schedule[i];
    uint32_t s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1;
    d = c, c = b, b = a, a = t1 + t2;
  }
  hash[0] += a, hash[1] += b, hash[2] += c, hash[3] += d;
  hash[4] += e, hash[5] += f, hash[6] += g, hash[7] += h;
}

int main(void) {
  uint64_t bits = (uint64_t)LENGTH * 8;

  fill_constants();
  for (uint32_t i = 0; i < LENGTH; ++i)
    message[i] = (uint8_t)(i * 7 + (i >> 8));
  message[LENGTH] = 0x80;
  for (int i = 0; i < 8; ++i)
    message[PADDED - 1 - i] = (uint8_t)(bits >> 8 * i);
  for (uint32_t at = 0; at < PADDED; at += BLOCK)
    absorb(message + at);
  for (int i = 0; i < 8; ++i)
    assert(hash[i] == expected[i]);
  return 0;
}
