/* Patterns of file names by the names that they have where file offsets of 64 bits are asked for. */
#define _GNU_SOURCE
#include <glob.h>

int glob64(const char *pattern, int flags, int (*failed)(const char *, int), glob_t *to)
{
	return glob(pattern, flags, failed, to);
}

void globfree64(glob_t *of) { globfree(of); }
