/* One thread looks for the last zero of an array, while N others count up from their neighbours. */
#include <pthread.h>
#include <stdatomic.h>

atomic_int array[N + 1];

void *find(void *unused)
{
    int i = N;
    while (array[i] != 0)
        i--;
    return unused;
}

void *count(void *number)
{
    long j = (long)number;
    array[j] = array[j - 1] + 1;
    return 0;
}

int main(void)
{
    pthread_t threads[N + 1];
    pthread_create(&threads[0], 0, find, 0);
    for (long j = 1; j <= N; j++)
        pthread_create(&threads[j], 0, count, (void *)j);
    for (int j = 0; j <= N; j++)
        pthread_join(threads[j], 0);
    return 0;
}
