/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>

static int run(const unsigned char *code) {
  static void *const labels[] = {&&halt, &&increment, &&twice, &&negate};
  int accumulator = 0;
  goto *labels[*code++];
increment:
  accumulator++;
  goto *labels[*code++];
twice:
  accumulator *= 2;
  goto *labels[*code++];
negate:
  accumulator = -accumulator;
  goto *labels[*code++];
halt:
  return accumulator;
}

int main(void) {
  static const unsigned char code[] = {1, 1, 1, 2, 3, 1, 0};
  assert(run(code) == -5);
  return 0;
}
