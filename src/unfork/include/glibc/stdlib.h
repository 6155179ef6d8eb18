/* What glibc's header declares and musl's does not, in front of the latter. */
#include_next <stdlib.h>

#if defined(_GNU_SOURCE) && !defined(UNFORK_GLIBC_STDLIB_H)
#define UNFORK_GLIBC_STDLIB_H
#ifdef __cplusplus
extern "C" {
#endif
char *canonicalize_file_name(const char *);
#ifdef __cplusplus
}
#endif
#endif
