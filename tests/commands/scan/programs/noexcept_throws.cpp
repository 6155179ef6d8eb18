/* A month that is none throws, out of a function that says that it never does.
   scan: certain terminate 7 */
#include <stdexcept>

int days(int month) noexcept {
  if (month < 1 || month > 12)
    throw std::out_of_range("no month");
  return month == 2 ? 28 : 30 + (month + (month > 7)) % 2;
}
