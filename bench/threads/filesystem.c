/* N threads create a file each: an inode, and a block that is looked for from a place that follows from the inode. */
#include <pthread.h>

#define BLOCKS 26
#define INODES 32

pthread_mutex_t inode_locks[INODES], block_locks[BLOCKS];
int inodes[INODES], busy[BLOCKS];

void *create(void *number)
{
    int i = (int)(long)number % INODES, done = 0;
    pthread_mutex_lock(&inode_locks[i]);
    if (inodes[i] == 0)
        for (int b = i * 2 % BLOCKS; !done; b = (b + 1) % BLOCKS) {
            pthread_mutex_lock(&block_locks[b]);
            if (!busy[b]) {
                busy[b] = 1;
                inodes[i] = b + 1;
                done = 1;
            }
            pthread_mutex_unlock(&block_locks[b]);
        }
    pthread_mutex_unlock(&inode_locks[i]);
    return 0;
}

int main(void)
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, create, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
