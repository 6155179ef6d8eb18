/* yajl's tree parser on every string of up to SIZE characters; whatever it returns is freed. */
#include <yajl/yajl_tree.h>
#include "unfork.h"

#ifndef SIZE
#define SIZE 3
#endif

int main(void) {
  char text[SIZE + 1];
  unfork_symbolic(text, SIZE, "text");
  text[SIZE] = 0;
  yajl_tree_free(yajl_tree_parse(text, NULL, 0));
  return 0;
}
