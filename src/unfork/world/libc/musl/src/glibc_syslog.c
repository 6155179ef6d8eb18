/* Logging, as programs compiled with glibc's checks call it. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <syslog.h>

void __vsyslog_chk(int priority, int flag, const char *format, va_list rest) { vsyslog(priority, format, rest); }

void __syslog_chk(int priority, int flag, const char *format, ...)
{
	va_list rest;
	va_start(rest, format);
	vsyslog(priority, format, rest);
	va_end(rest);
}
