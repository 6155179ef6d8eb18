/* Two threads with N branches each on inputs of their own: joins leave the schedules, and no more. */
#include <assert.h>
#include <pthread.h>
#include <unfork.h>

unsigned char given[2][N];
int total;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *add(void *number)
{
    unsigned char own[N];
    int sum = 0;
    for (int i = 0; i < N; i++)
        own[i] = given[(long)number][i];
    for (int i = 0; i < N; i++)
        if (own[i] & 1)
            sum += i;
    pthread_mutex_lock(&lock);
    total += sum;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    unfork_symbolic(given, sizeof given, "given");
    pthread_create(&a, 0, add, (void *)0);
    pthread_create(&b, 0, add, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(total <= N * (N - 1));
    return 0;
}
