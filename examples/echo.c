/* The echo utility as Kuznetsov12 simplifies it in Fig. 1: if the first argument is "-n", no newline follows the rest.
   There are N arguments, each a string of at most L characters, so argc is N + 1.

   Every argument that is printed ends at one of L + 1 places. Comparing the first one with "-n" is a loop that leaves
   at the first difference: with 0 (before any of L + 1 lengths), 1 (L lengths) or 2 (L - 2 lengths) characters equal,
   or finds "-n" and prints nothing of it (1). That makes 3 L paths for the first argument and 3 L (L + 1)^(N - 1) in
   all, for L of at least 2: 144 at (3, 3), 3,240 at (4, 5), 19,440 at (5, 5), 37,500 at (6, 4). The paper counts
   L^N + L^(N - 1), as its comparison does not fork and its strings have L lengths.

     unfork run examples/echo.c               everything explored, exit status 0
     unfork run --merge none --loops run examples/echo.c  144 paths
     unfork run -D N=4 -D L=5 examples/echo.c

   expect: safe
   paths: 144
   native: asan
*/
#include "unfork.h"

#ifndef N
#define N 3
#endif
#ifndef L
#define L 3
#endif

static volatile char output;

static void put(char character) { output = character; }

static int same(const char *left, const char *right) {
  for (; *left == *right; ++left, ++right)
    if (*left == '\0')
      return 1;
  return 0;
}

static void echo(int argc, char **argv) {
  int newline = 1, argument = 1;

  if (argument < argc && same(argv[argument], "-n")) {
    newline = 0;
    ++argument;
  }
  for (; argument < argc; ++argument)
    for (int i = 0; argv[argument][i] != '\0'; ++i)
      put(argv[argument][i]);
  if (newline)
    put('\n');
}

int main(void) {
  char text[N][L + 1];
  char *argv[N + 2] = {"echo"};

  unfork_symbolic(text, sizeof text, "text");
  for (int i = 0; i < N; ++i) {
    text[i][L] = '\0';
    argv[i + 1] = text[i];
  }
  echo(N + 1, argv);
  return 0;
}
