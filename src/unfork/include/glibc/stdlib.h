/* What glibc's header declares and musl's does not, in front of the latter. */
#include_next <stdlib.h>

#if defined(_GNU_SOURCE) || defined(_BSD_SOURCE)
#include <sys/types.h> /* for u_char and the like */
#endif

#if defined(_GNU_SOURCE) && !defined(UNFORK_GLIBC_STDLIB_H)
#define UNFORK_GLIBC_STDLIB_H
#ifdef __cplusplus
extern "C" {
#endif
char *canonicalize_file_name(const char *);
int rpmatch(const char *);
__UINT32_TYPE__ arc4random(void);
__UINT32_TYPE__ arc4random_uniform(__UINT32_TYPE__);
void arc4random_buf(void *, __SIZE_TYPE__);
#ifdef __cplusplus
}
#endif
#endif
