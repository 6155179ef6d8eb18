#include <json.hpp>
#include <unfork.h>

int main() {
  std::vector<uint8_t> bytes(3);
  unfork_symbolic(bytes.data(), bytes.size(), "bytes");
  try {
    return nlohmann::json::from_msgpack(bytes).is_null();
  } catch (const std::exception &) {
    return 2;
  }
}
