/* N threads put four messages each into a hash table; up to eleven of them never meet in it. */
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 128
#define MESSAGES 4

atomic_int table[SIZE];

void *put(void *number)
{
    for (int message = 1; message <= MESSAGES; message++) {
        int word = message * 11 + (int)(long)number, at = word * 7 % SIZE, empty = 0;
        while (!atomic_compare_exchange_strong(&table[at], &empty, word)) {
            at = (at + 1) % SIZE;
            empty = 0;
        }
    }
    return 0;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, put, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
