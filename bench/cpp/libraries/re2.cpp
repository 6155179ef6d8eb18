#include "re2/re2.h"
#include <unfork.h>

int main() {
  char text[3];
  unfork_symbolic(text, sizeof text, "text");
  return RE2::FullMatch(re2::StringPiece(text, sizeof text), "a(b|c*)d?");
}
