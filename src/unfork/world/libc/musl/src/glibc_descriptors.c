/* Descriptors by the names that they have where file offsets of 64 bits are asked for. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

int open64(const char *path, int flags, ...)
{
	va_list rest;
	va_start(rest, flags);
	mode_t mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	return open(path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...)
{
	va_list rest;
	va_start(rest, flags);
	mode_t mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
	va_end(rest);
	return openat(folder, path, flags, mode);
}

int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open(path, flags); }
int __openat_2(int folder, const char *path, int flags) { return openat(folder, path, flags); }
int __openat64_2(int folder, const char *path, int flags) { return openat(folder, path, flags); }
int creat64(const char *path, mode_t mode) { return creat(path, mode); }
off_t lseek64(int of, off_t to, int from) { return lseek(of, to, from); }
ssize_t pread64(int from, void *to, size_t size, off_t at) { return pread(from, to, size, at); }
ssize_t pwrite64(int to, const void *from, size_t size, off_t at) { return pwrite(to, from, size, at); }
int truncate64(const char *path, off_t size) { return truncate(path, size); }
int ftruncate64(int of, off_t size) { return ftruncate(of, size); }
int posix_fadvise64(int of, off_t at, off_t size, int advice) { return posix_fadvise(of, at, size, advice); }
int posix_fallocate64(int of, off_t at, off_t size) { return posix_fallocate(of, at, size); }
int lockf64(int of, int operation, off_t size) { return lockf(of, operation, size); }

int fcntl64(int of, int operation, ...)
{
	va_list rest;
	va_start(rest, operation);
	unsigned long argument = va_arg(rest, unsigned long);
	va_end(rest);
	return fcntl(of, operation, argument);
}
