/* Two threads add the other's number to their own N times: BOUND is the largest that can come of it, or one less. */
#include <assert.h>
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

int i = 1, j = 1;

void *one(void *unused)
{
    for (int k = 0; k < N; k++) {
        __VERIFIER_atomic_begin();
        i += j;
        __VERIFIER_atomic_end();
    }
    return unused;
}

void *other(void *unused)
{
    for (int k = 0; k < N; k++) {
        __VERIFIER_atomic_begin();
        j += i;
        __VERIFIER_atomic_end();
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(i <= BOUND && j <= BOUND);
    return 0;
}
