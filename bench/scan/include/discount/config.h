#include <sys/types.h>
#include <string.h>
#include <stdlib.h>
#define TABSTOP 4
#define COINTOSS() (random() & 1)
#define INITRNG(x) srandom((unsigned int)x)
#define DO_OR_DIE(x) if ((x) == EOF) return EOF
