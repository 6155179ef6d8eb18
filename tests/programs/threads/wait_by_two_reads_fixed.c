/* A loop that waits, and reads what it waits for at two places: the second may be the first to see it.
   expect: safe
   native: asan */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state = 1;

static void *change(void *argument)
{
	state = 2;
	return argument;
}

static void look(void)
{
	int seen = state;
	(void)seen;
}

int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, change, 0);
	while (state < 2)
		look();
	return pthread_join(thread, 0);
}
