/* Conversions between multibyte and wide strings whose buffers' sizes glibc's headers hand on, in characters. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <wchar.h>

void __chk_fail(void) __attribute__((__noreturn__));

#define WITHIN(wanted, room) \
	if ((wanted) > (room)) __chk_fail()

size_t __mbstowcs_chk(wchar_t *to, const char *from, size_t size, size_t room)
{
	if (to) WITHIN(size, room);
	return mbstowcs(to, from, size);
}

size_t __wcstombs_chk(char *to, const wchar_t *from, size_t size, size_t room)
{
	if (to) WITHIN(size, room);
	return wcstombs(to, from, size);
}

size_t __mbsrtowcs_chk(wchar_t *to, const char **from, size_t size, mbstate_t *state, size_t room)
{
	if (to) WITHIN(size, room);
	return mbsrtowcs(to, from, size, state);
}

size_t __wcsrtombs_chk(char *to, const wchar_t **from, size_t size, mbstate_t *state, size_t room)
{
	if (to) WITHIN(size, room);
	return wcsrtombs(to, from, size, state);
}

size_t __wcrtomb_chk(char *to, wchar_t character, mbstate_t *state, size_t room) { return wcrtomb(to, character, state); }
int __wctomb_chk(char *to, wchar_t character, size_t room) { return wctomb(to, character); }

size_t __mbrlen(const char *from, size_t size, mbstate_t *state) { return mbrlen(from, size, state); }
