/* The library's own locks: the engine says who has them, and orders by them what the library does. Before there are
   several threads only flockfile takes any. */
#include "stdio_impl.h"
#include "lock.h"

int unfork_library_trylock(void *);

void __lock(volatile int *lock)
{
	if (unfork_has_threads) unfork_library_lock((void *)lock);
}

void __unlock(volatile int *lock)
{
	if (unfork_has_threads) unfork_library_unlock((void *)lock);
}

void flockfile(FILE *f)
{
	unfork_library_lock(f);
}

int ftrylockfile(FILE *f)
{
	return unfork_library_trylock(f);
}

void funlockfile(FILE *f)
{
	unfork_library_unlock(f);
}
