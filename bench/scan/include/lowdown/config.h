/* Stands in for the config.h that a configure script would write on 64-bit Linux. */
#define _GNU_SOURCE
#define HAVE_SYS_QUEUE 1
#define HAVE_REALLOCARRAY 1
#define HAVE_STRNDUP 1
#include <sys/queue.h>
#include <sys/types.h>
#include <stdint.h>
#include <stdarg.h>
size_t strlcat(char *, const char *, size_t);
size_t strlcpy(char *, const char *, size_t);
void *recallocarray(void *, size_t, size_t, size_t);
long long strtonum(const char *, long long, long long, const char **);
