/* Functions on strings that musl lacks, or by glibc's inner names. */
#define _GNU_SOURCE
#include <string.h>

void __chk_fail(void) __attribute__((__noreturn__));

void *rawmemchr(const void *from, int character)
{
	const unsigned char *at = from;
	while (*at != (unsigned char)character) at++;
	return (void *)at;
}

void *__rawmemchr(const void *from, int character) { return rawmemchr(from, character); }
char *__strndup(const char *text, size_t size) { return strndup(text, size); }
char *__strsep_g(char **text, const char *marks) { return strsep(text, marks); }
char *__strcasestr(const char *in, const char *wanted) { return strcasestr(in, wanted); }

void __explicit_bzero_chk(void *at, size_t size, size_t room)
{
	if (size > room) __chk_fail();
	explicit_bzero(at, size);
}
