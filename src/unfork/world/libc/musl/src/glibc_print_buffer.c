/* Printing into buffers, as programs call it that were compiled with glibc's checks on buffers. */
#define _GNU_SOURCE
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

void __chk_fail(void) __attribute__((__noreturn__));

#define PASS_ON(call) \
	va_list rest; \
	va_start(rest, format); \
	int count = call; \
	va_end(rest); \
	return count

int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list rest)
{
	if (size > room) __chk_fail();
	return vsnprintf(to, size, format, rest);
}

int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list rest)
{
	if (room > INT_MAX) return vsprintf(to, format, rest);
	int count = vsnprintf(to, room, format, rest);
	if (count >= 0 && (size_t)count >= room) __chk_fail();
	return count;
}

int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...)
{
	PASS_ON(__vsnprintf_chk(to, size, flag, room, format, rest));
}

int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
{
	PASS_ON(__vsprintf_chk(to, flag, room, format, rest));
}
