/* atoi of what does not fit into an int is undefined (C11 7.22.1), and so are atol and atoll of what does not fit there.
   expect: safe
   options: --check overflow --sym-arg 9
   native: none (no sanitizer sees it) */
#include <stdlib.h>

int main(int count, char **words) { return atoi(words[1]) == 7; }
