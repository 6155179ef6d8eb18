#include <nlohmann/json.hpp>
#include <unfork.h>

int main() {
  char text[4];
  unfork_symbolic(text, sizeof text, "text");
  try {
    return nlohmann::json::parse(text, text + sizeof text).is_null();
  } catch (const nlohmann::json::parse_error &) {
    return 2;
  }
}
