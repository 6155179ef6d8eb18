/* N threads read what another one writes: each read comes before the write or after it. */
#include <pthread.h>

int x;

void *writer(void *unused)
{
    x = 1;
    return unused;
}

void *reader(void *unused)
{
    return x ? &x : unused;
}

int main(void)
{
    pthread_t threads[N + 1];
    pthread_create(&threads[0], 0, writer, 0);
    for (int i = 1; i <= N; i++)
        pthread_create(&threads[i], 0, reader, 0);
    for (int i = 0; i <= N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
