/* What glibc's header declares and musl's does not, in front of the latter. */
#include_next <stdio.h>

#if defined(_GNU_SOURCE) && !defined(UNFORK_GLIBC_STDIO_H)
#define UNFORK_GLIBC_STDIO_H
#ifdef __cplusplus
extern "C" {
#endif
int renameat2(int, const char *, int, const char *, unsigned);
#ifdef __cplusplus
}
#endif
#endif
