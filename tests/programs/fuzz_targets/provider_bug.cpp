/* Typed values out of the bytes: strings from the front, numbers from the back.
   expect: unsafe
   options: --input-size 8
   native: none (a fuzzer calls it) */
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>

#include <fuzzer/FuzzedDataProvider.h>

enum class Kind { a, b, c, kMaxValue = c };

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  FuzzedDataProvider in(data, size);
  const int number = in.ConsumeIntegralInRange<int>(-3, 300);
  const Kind kind = in.ConsumeEnum<Kind>();
  const std::string text = in.ConsumeRandomLengthString(4);
  if (number == 77 && kind == Kind::b)
    assert(text != "hi"); /* BUG: assert */
  return 0;
}
