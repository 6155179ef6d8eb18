/* A text follows, with its NUL: the length does not count that.
   scan: conditional null-dereference 9
   scan: conditional null-dereference 16 */
#include <string.h>
struct name { unsigned length; char text[]; };

unsigned vowels(const struct name *n) {
  unsigned sum = 0;
  for (unsigned i = 0; i < n->length; i++) {
    sum += n->text[i] == 'a' || n->text[i] == 'e';
  }
  return sum;
}

unsigned long length(const struct name *n) {
  return n->length < 4 ? strlen(n->text) : n->length;
}
