#include "../lib.h"

int main(void) {
  static const struct pair pair = {1, 2};
  return first(&pair) != 1;
}
