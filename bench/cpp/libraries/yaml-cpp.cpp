#include <unfork.h>
#include <yaml-cpp/yaml.h>

int main() {
  char text[4];
  unfork_symbolic(text, sizeof text, "text");
  try {
    return YAML::Load(std::string(text, sizeof text)).IsMap();
  } catch (const YAML::Exception &) {
    return 2;
  }
}
