/* Paths made canonical, as glibc's headers and programs ask for it. */
#define _GNU_SOURCE
#include <stdlib.h>

char *__realpath_chk(const char *path, char *to, size_t room) { return realpath(path, to); }
char *canonicalize_file_name(const char *path) { return realpath(path, 0); }
