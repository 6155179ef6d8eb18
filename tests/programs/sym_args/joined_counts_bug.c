/* States with different numbers of arguments become one, in which each argument is there or not.
   expect: unsafe
   options: --merge static --similar always
   args: --sym-args 0 3 1
   native: none (asks for symbolic arguments) */
#include <assert.h>

static int sum;

int main(int argc, char **argv) {
  int words = argc > 2 ? 2 : 1;
  assert(argv[argc] == 0);
  for (int i = 1; i < argc; i++)
    sum += argv[i][0] == 'x';
  if (words == 1)
    assert(sum <= 1);
  assert(sum != 3 || argv[3][0] != 'x'); /* BUG: assert */
  return sum;
}
