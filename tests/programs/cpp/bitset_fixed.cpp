/* expect: safe
   native: asan */
#include <bitset>
#include <cassert>
#include <stdexcept>
#include "unfork.h"

int main() {
  unsigned char x;
  unfork_symbolic(&x, sizeof x, "x");
  std::bitset<8> bits(x);
  assert(bits.to_ulong() == x);
  assert(bits.any() == (x != 0) && bits[7] == (x >= 128));
  bits.flip();
  assert((bits & std::bitset<8>(x)).none());
  assert((bits << 1).to_ulong() == (static_cast<unsigned>(~x) << 1 & 255));
  std::size_t at = x < 100 ? 3 : 8;
  try {
    bits.test(at);
    assert(at == 3);
  } catch (const std::out_of_range &) {
    assert(at == 8);
  }
  return 0;
}
