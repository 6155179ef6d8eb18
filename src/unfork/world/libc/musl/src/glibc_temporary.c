/* Temporary files by the names that they have where file offsets of 64 bits are asked for. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

FILE *tmpfile64(void) { return tmpfile(); }
int mkstemp64(char *name) { return mkstemp(name); }
int mkstemps64(char *name, int suffix) { return mkstemps(name, suffix); }
int mkostemp64(char *name, int flags) { return mkostemp(name, flags); }
int mkostemps64(char *name, int suffix, int flags) { return mkostemps(name, suffix, flags); }
