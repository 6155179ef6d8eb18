/* Mappings by the name that they have where file offsets of 64 bits are asked for. */
#define _GNU_SOURCE
#include <sys/mman.h>

void *mmap64(void *at, size_t size, int protection, int flags, int of, off_t from)
{
	return mmap(at, size, protection, flags, of, from);
}
