/* What glibc's header declares and musl's does not, in front of the latter. */
#include_next <unistd.h>

#if defined(_GNU_SOURCE) && !defined(UNFORK_GLIBC_UNISTD_H)
#define UNFORK_GLIBC_UNISTD_H
#ifdef __cplusplus
extern "C" {
#endif
int close_range(unsigned, unsigned, int);
void closefrom(int);
#ifdef __cplusplus
}
#endif
#endif
