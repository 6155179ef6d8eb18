/* A month that is none throws, which is for the caller to catch.
   scan: nothing certain */
#include <stdexcept>

int days(int month) {
  if (month < 1 || month > 12)
    throw std::out_of_range("no month");
  return month == 2 ? 28 : 30 + (month + (month > 7)) % 2;
}
