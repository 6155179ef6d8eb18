/* A text of any length is printed among others.
   scan: nothing */
#include <stdio.h>

int said(const char *name) { return printf("hello %s, you\n", name); }
