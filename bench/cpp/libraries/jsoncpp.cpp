#include <json/json.h>
#include <memory>
#include <unfork.h>

int main() {
  char text[4];
  unfork_symbolic(text, sizeof text, "text");
  std::unique_ptr<Json::CharReader> reader(Json::CharReaderBuilder().newCharReader());
  Json::Value root;
  std::string errors;
  return !reader->parse(text, text + sizeof text, &root, &errors);
}
