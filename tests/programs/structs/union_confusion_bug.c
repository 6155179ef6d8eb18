/* The tag is forgotten: an integer is used as a pointer.
   expect: unsafe
   native: asan
   input: choice=0 */
#include <stddef.h>
#include "unfork.h"

union value {
  long integer;
  const char *text;
};

int main(void) {
  int choice;
  unfork_symbolic(&choice, sizeof choice, "choice");
  union value v;
  v.text = "word";
  if (choice == 0) v.integer = 64;
  return v.text[0] == 'x'; /* BUG: null-dereference */
}
