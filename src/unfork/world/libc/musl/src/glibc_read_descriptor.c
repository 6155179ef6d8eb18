/* System calls that fill buffers whose size glibc's headers hand on. */
#define _GNU_SOURCE
#include <poll.h>
#include <sys/select.h>
#include <unistd.h>

void __chk_fail(void) __attribute__((__noreturn__));

#define WITHIN(wanted, room) \
	if ((wanted) > (room)) __chk_fail()

ssize_t __read_chk(int from, void *to, size_t size, size_t room)
{
	WITHIN(size, room);
	return read(from, to, size);
}

ssize_t __pread_chk(int from, void *to, size_t size, off_t at, size_t room)
{
	WITHIN(size, room);
	return pread(from, to, size, at);
}

ssize_t __pread64_chk(int from, void *to, size_t size, off_t at, size_t room)
{
	WITHIN(size, room);
	return pread(from, to, size, at);
}

ssize_t __readlink_chk(const char *path, char *to, size_t size, size_t room)
{
	WITHIN(size, room);
	return readlink(path, to, size);
}

ssize_t __readlinkat_chk(int folder, const char *path, char *to, size_t size, size_t room)
{
	WITHIN(size, room);
	return readlinkat(folder, path, to, size);
}

char *__getcwd_chk(char *to, size_t size, size_t room)
{
	WITHIN(size, room);
	return getcwd(to, size);
}

int __gethostname_chk(char *to, size_t size, size_t room)
{
	WITHIN(size, room);
	return gethostname(to, size);
}

int __ttyname_r_chk(int of, char *to, size_t size, size_t room)
{
	WITHIN(size, room);
	return ttyname_r(of, to, size);
}

int __getgroups_chk(int count, gid_t *to, size_t room)
{
	if (count > 0) WITHIN(count * sizeof *to, room);
	return getgroups(count, to);
}

size_t __confstr_chk(int name, char *to, size_t size, size_t room)
{
	WITHIN(size, room);
	return confstr(name, to, size);
}

int __poll_chk(struct pollfd *all, nfds_t count, int timeout, size_t room)
{
	WITHIN(count * sizeof *all, room);
	return poll(all, count, timeout);
}

long __fdelt_chk(long number)
{
	if (number < 0 || number >= FD_SETSIZE) __chk_fail();
	return number / (8 * (long)sizeof(long));
}
