/* expect: safe
   paths: 1
   args: -v -n 12 --long=x rest
   native: asan */
#define _GNU_SOURCE
#include <assert.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  static const struct option longer[] = {{"long", required_argument, 0, 'l'}, {0}};
  int verbose = 0, number = 0, option;
  const char *text = "";
  while ((option = getopt_long(argc, argv, "vn:", longer, 0)) != -1) {
    if (option == 'v') verbose = 1;
    else if (option == 'n') number = atoi(optarg);
    else if (option == 'l') text = optarg;
    else abort();
  }
  assert(verbose && number == 12 && strcmp(text, "x") == 0 && optind == argc - 1);
  assert(strcmp(argv[optind], "rest") == 0);
  return 0;
}
