/* Calls of the kernel that musl has no function for. */
#define _GNU_SOURCE
#include <limits.h>
#include <sys/syscall.h>
#include <unistd.h>

int close_range(unsigned first, unsigned last, int flags) { return syscall(SYS_close_range, first, last, flags); }
void closefrom(int first) { close_range(first < 0 ? 0 : first, UINT_MAX, 0); }

int renameat2(int from, const char *path, int to, const char *name, unsigned flags)
{
	return syscall(SYS_renameat2, from, path, to, name, flags);
}
