/* Printing as programs call it that were compiled with glibc's checks on buffers. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>

#define PASS_ON(call) \
	va_list rest; \
	va_start(rest, format); \
	int count = call; \
	va_end(rest); \
	return count

int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list rest) { return vfprintf(stream, format, rest); }
int __vprintf_chk(int flag, const char *format, va_list rest) { return vfprintf(stdout, format, rest); }
int __fprintf_chk(FILE *stream, int flag, const char *format, ...) { PASS_ON(vfprintf(stream, format, rest)); }
int __printf_chk(int flag, const char *format, ...) { PASS_ON(vfprintf(stdout, format, rest)); }
