/* What runs once in a program. The engine says who comes first, and lets others wait. */

#include <pthread.h>
#include <threads.h>

_Bool unfork_once_begin(void *);
void unfork_once_end(void *);

int pthread_once(pthread_once_t *flag, void (*run)(void))
{
	if (unfork_once_begin(flag)) {
		run();
		unfork_once_end(flag);
	}
	return 0;
}

void call_once(once_flag *flag, void (*run)(void))
{
	pthread_once(flag, run);
}
