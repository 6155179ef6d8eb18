/* Reading into buffers whose size glibc's headers hand on. */
#define _GNU_SOURCE
#include <stdio.h>

void __chk_fail(void) __attribute__((__noreturn__));

char *__fgets_chk(char *to, size_t room, int size, FILE *stream)
{
	if (size > 0 && (size_t)size > room) __chk_fail();
	return fgets(to, size, stream);
}

char *__fgets_unlocked_chk(char *to, size_t room, int size, FILE *stream) { return __fgets_chk(to, room, size, stream); }

size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *stream)
{
	if (size && count > room / size) __chk_fail();
	return fread(to, size, count, stream);
}

size_t __fread_unlocked_chk(void *to, size_t room, size_t size, size_t count, FILE *stream)
{
	return __fread_chk(to, room, size, count, stream);
}
