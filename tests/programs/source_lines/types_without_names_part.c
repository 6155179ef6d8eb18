/* The second file of programs of two, which describe the structs, too. */
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

int second_of_small(struct small *from) {
  from->here.low = from->there.low;
  return from->second;
}

int second_of_large(struct large *from) {
  from->here.low = from->there.low;
  return from->second;
}
