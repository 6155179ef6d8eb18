#include "pugixml.hpp"
#include <unfork.h>

int main() {
  char text[18] = "<!DOCTYPE"; // what follows is open
  unfork_symbolic(text + 9, sizeof text - 9, "text");
  pugi::xml_document document;
  return document.load_buffer(text, sizeof text, pugi::parse_default | pugi::parse_doctype).status;
}
