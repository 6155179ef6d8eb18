#include "tinyxml2.h"
#include <unfork.h>

int main() {
  char text[4];
  unfork_symbolic(text, sizeof text, "text");
  tinyxml2::XMLDocument document;
  return document.Parse(text, sizeof text);
}
