#include "tinyxml2.h"
#include <unfork.h>

int main() {
  char text[] = "<a>&#..........;</a>"; // the number that the reference has is open
  unfork_symbolic(text + 5, 10, "digits");
  for (int i = 5; i < 15; i++)
    unfork_assume(text[i] >= '0' && text[i] <= '9');
  tinyxml2::XMLDocument document;
  if (document.Parse(text))
    return 1;
  return document.RootElement()->GetText() == nullptr;
}
