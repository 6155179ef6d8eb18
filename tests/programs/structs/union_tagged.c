/* expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include "unfork.h"

struct value {
  enum { INTEGER, TEXT } tag;
  union {
    long integer;
    const char *text;
  } as;
};

static struct value make(int wants_text, long n) {
  struct value v;
  v.tag = wants_text ? TEXT : INTEGER;
  if (wants_text)
    v.as.text = "word";
  else
    v.as.integer = n;
  return v;
}

int main(void) {
  int choice;
  long n;
  unfork_symbolic(&choice, sizeof choice, "choice");
  unfork_symbolic(&n, sizeof n, "n");
  struct value v = make(choice, n);
  if (v.tag == TEXT)
    assert(v.as.text[2] == 'r');
  else
    assert(v.as.integer == n);
  return 0;
}
