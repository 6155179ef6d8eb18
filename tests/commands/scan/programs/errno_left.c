/* What errno holds at first is left from a call before, of which only callers know. What the code asks of it decides as
   any other number.
   scan: conditional div-by-zero 9
   scan: conditional null-dereference 15
   scan: certain div-by-zero 15 */
#include <errno.h>
int share(void)
{
    return 10 / errno;
}

int retried(int *values)
{
    if (errno == EINTR)
        return *values / (errno - EINTR);
    return 0;
}
