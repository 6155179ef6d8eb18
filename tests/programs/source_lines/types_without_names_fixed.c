/* Linking leaves each of the two structs a second type, without a name. The second file reads a field of the larger one:
   a type that is taken for the other has that field, too, but at the offset of another one, which is not 4.
   expect: safe
   sources: types_without_names_part.c
   native: asan */
#include <assert.h>

struct small {
  struct { int *low, *high; } here;
  struct { int *low, *high; } there;
  int first, second, third;
};

struct large {
  struct { int *low, *high; } here;
  struct { int *low, *high; } there;
  long space;
  int first, second;
};

int second_of_small(struct small *from);
int second_of_large(struct large *from);

int main(void) {
  int i = 0;
  struct small small = {{&i, &i}, {&i, &i}, 1, 2, 5};
  struct large large = {{&i, &i}, {&i, &i}, 0, 3, 4};
  small.there.low = small.here.high;
  large.there.low = large.here.high;
  assert(second_of_small(&small) == 2);
  assert(second_of_large(&large) == 4);
  return 0;
}
