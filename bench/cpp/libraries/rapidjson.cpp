#include <rapidjson/document.h>
#include <unfork.h>

int main() {
  char text[5] = {};
  unfork_symbolic(text, 4, "text");
  rapidjson::Document document;
  return document.Parse(text).HasParseError();
}
