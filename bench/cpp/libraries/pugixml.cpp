#include "pugixml.hpp"
#include <unfork.h>

int main() {
  char text[4];
  unfork_symbolic(text, sizeof text, "text");
  pugi::xml_document document;
  return document.load_buffer(text, sizeof text).status;
}
