/* Each thread has a number of its own in the system; the first has that of the process.
   expect: safe
   native: gcc -pthread */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *number(void *result) {
    *(long *)result = syscall(SYS_gettid);
    return 0;
}

int main(void) {
    long first, second;
    pthread_t one, two;
    pthread_create(&one, 0, number, &first);
    pthread_create(&two, 0, number, &second);
    pthread_join(one, 0);
    pthread_join(two, 0);
    assert(syscall(SYS_gettid) == getpid());
    assert(first != second && first != getpid() && second != getpid());
    return 0;
}
