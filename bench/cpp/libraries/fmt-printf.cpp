#include <fmt/printf.h>
#include <unfork.h>

int main() {
  char format[2];
  unfork_symbolic(format, sizeof format, "format");
  try {
    return fmt::sprintf(fmt::string_view(format, sizeof format), 7).empty();
  } catch (const fmt::format_error &) {
    return 2;
  }
}
