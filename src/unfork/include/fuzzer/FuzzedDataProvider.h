/* Typed values out of a fuzzer's bytes, for targets in C++.
 *
 * Written for unfork. It reads the same bytes as the header of this name that comes with libFuzzer, so that a corpus
 * means the same here and there: bulk data from the front, single numbers from the back.
 */
#ifndef UNFORK_FUZZED_DATA_PROVIDER_H
#define UNFORK_FUZZED_DATA_PROVIDER_H

#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

class FuzzedDataProvider {
 public:
  FuzzedDataProvider(const uint8_t *data, size_t size) : front_(data), left_(size) {}
  ~FuzzedDataProvider() = default;
  FuzzedDataProvider(const FuzzedDataProvider &) = delete;
  FuzzedDataProvider &operator=(const FuzzedDataProvider &) = delete;

  size_t remaining_bytes() const { return left_; }

  // --- from the front

  /* Copies up to `count` bytes to `to`; returns their number. */
  size_t ConsumeData(void *to, size_t count) {
    const size_t taken = Available(count);
    if (taken != 0) std::memcpy(to, front_, taken);
    Drop(taken);
    return taken;
  }

  template <typename T>
  std::vector<T> ConsumeBytes(size_t count) {
    return Take<T>(Available(count), 0, T());
  }

  template <typename T>
  std::vector<T> ConsumeBytesWithTerminator(size_t count, T terminator = 0) {
    return Take<T>(Available(count), 1, terminator);
  }

  template <typename T>
  std::vector<T> ConsumeRemainingBytes() {
    return ConsumeBytes<T>(left_);
  }

  std::string ConsumeBytesAsString(size_t count) {
    const size_t taken = Available(count);
    std::string text;
    if (taken != 0) text.assign(reinterpret_cast<const char *>(front_), taken);
    Drop(taken);
    return text;
  }

  std::string ConsumeRemainingBytesAsString() { return ConsumeBytesAsString(left_); }

  /* Up to `most` characters. A backslash before any other character ends the string; two stand for one. */
  std::string ConsumeRandomLengthString(size_t most) {
    std::string text;
    while (text.size() < most && left_ != 0) {
      const char letter = TakeLetter();
      if (letter == '\\' && left_ != 0 && TakeLetter() != '\\') break;
      text.push_back(letter);
    }
    return text;
  }

  std::string ConsumeRandomLengthString() { return ConsumeRandomLengthString(left_); }

  // --- from the back

  template <typename T>
  T ConsumeIntegral() {
    return ConsumeIntegralInRange<T>(std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
  }

  /* Takes as many bytes as the range needs. Without bytes it is `least`. */
  template <typename T>
  T ConsumeIntegralInRange(T least, T most) {
    static_assert(std::is_integral<T>::value, "a range of integers");
    static_assert(sizeof(T) <= sizeof(uint64_t), "at most 64 bits");
    if (least > most) std::abort();
    const uint64_t span = static_cast<uint64_t>(most) - static_cast<uint64_t>(least);
    uint64_t number = 0;
    for (size_t bits = 0; bits < sizeof(T) * CHAR_BIT && (span >> bits) != 0 && left_ != 0; bits += CHAR_BIT)
      number = (number << CHAR_BIT) | front_[--left_];
    if (span != std::numeric_limits<uint64_t>::max()) number %= span + 1;
    return static_cast<T>(static_cast<uint64_t>(least) + number);
  }

  bool ConsumeBool() { return ConsumeIntegralInRange<uint8_t>(0, 1) != 0; }

  /* Between 0 and 1, both included. */
  template <typename T>
  T ConsumeProbability() {
    static_assert(std::is_floating_point<T>::value, "a floating-point type");
    using Whole = typename std::conditional<(sizeof(T) <= sizeof(uint32_t)), uint32_t, uint64_t>::type;
    return static_cast<T>(ConsumeIntegral<Whole>()) / static_cast<T>(std::numeric_limits<Whole>::max());
  }

  template <typename T>
  T ConsumeFloatingPoint() {
    return ConsumeFloatingPointInRange<T>(std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max());
  }

  template <typename T>
  T ConsumeFloatingPointInRange(T least, T most) {
    if (least > most) std::abort();
    T start = least, width;
    if (least < 0 && most > 0 && most > least + std::numeric_limits<T>::max()) {
      width = most / T(2) - least / T(2);  // the whole width is too large a number: choose a half first
      if (ConsumeBool()) start += width;
    } else {
      width = most - least;
    }
    return start + width * ConsumeProbability<T>();
  }

  /* The enumeration names its last value kMaxValue. */
  template <typename T>
  T ConsumeEnum() {
    static_assert(std::is_enum<T>::value, "an enumeration");
    return static_cast<T>(ConsumeIntegralInRange<uint32_t>(0, static_cast<uint32_t>(T::kMaxValue)));
  }

  template <typename T, size_t count>
  T PickValueInArray(const T (&values)[count]) {
    static_assert(count > 0, "one value at least");
    return values[ConsumeIntegralInRange<size_t>(0, count - 1)];
  }

  template <typename T, size_t count>
  T PickValueInArray(const std::array<T, count> &values) {
    static_assert(count > 0, "one value at least");
    return values[ConsumeIntegralInRange<size_t>(0, count - 1)];
  }

  template <typename T>
  T PickValueInArray(std::initializer_list<const T> values) {
    if (values.size() == 0) std::abort();
    return *(values.begin() + ConsumeIntegralInRange<size_t>(0, values.size() - 1));
  }

 private:
  size_t Available(size_t count) const { return count < left_ ? count : left_; }

  void Drop(size_t count) {
    if (count > left_) std::abort();
    front_ += count;
    left_ -= count;
  }

  char TakeLetter() {
    const char letter = static_cast<char>(*front_);
    Drop(1);
    return letter;
  }

  /* `count` bytes, then room for `more` values, each of which is `last`. */
  template <typename T>
  std::vector<T> Take(size_t count, size_t more, T last) {
    static_assert(sizeof(T) == 1, "a type of one byte");
    std::vector<T> values(count + more, last);
    if (count != 0) std::memcpy(values.data(), front_, count);
    Drop(count);
    return values;
  }

  const uint8_t *front_;
  size_t left_;
};

#endif
