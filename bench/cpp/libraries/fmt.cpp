#include <fmt/format.h>
#include <unfork.h>

int main() {
  int number = unfork::symbolic<int>("number");
  std::string text = fmt::format("{:>5}|{:x}|{:+}", number, number, number);
  return text.size() > 24;
}
