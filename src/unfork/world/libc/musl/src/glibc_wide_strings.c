/* Wide strings copied into buffers whose size glibc's headers hand on, in characters. */
#define _GNU_SOURCE
#include <wchar.h>

void __chk_fail(void) __attribute__((__noreturn__));

#define WITHIN(wanted, room) \
	if ((wanted) > (room)) __chk_fail()

wchar_t *__wcscpy_chk(wchar_t *to, const wchar_t *from, size_t room)
{
	WITHIN(wcslen(from) + 1, room);
	return wcscpy(to, from);
}

wchar_t *__wcsncpy_chk(wchar_t *to, const wchar_t *from, size_t size, size_t room)
{
	WITHIN(size, room);
	return wcsncpy(to, from, size);
}

wchar_t *__wcscat_chk(wchar_t *to, const wchar_t *from, size_t room)
{
	WITHIN(wcslen(to) + wcslen(from) + 1, room);
	return wcscat(to, from);
}

wchar_t *__wmemcpy_chk(wchar_t *to, const wchar_t *from, size_t size, size_t room)
{
	WITHIN(size, room);
	return wmemcpy(to, from, size);
}

wchar_t *__wmemmove_chk(wchar_t *to, const wchar_t *from, size_t size, size_t room)
{
	WITHIN(size, room);
	return wmemmove(to, from, size);
}

wchar_t *__wmemset_chk(wchar_t *to, wchar_t character, size_t size, size_t room)
{
	WITHIN(size, room);
	return wmemset(to, character, size);
}
