/* What is known of files, by the names that it has where file offsets of 64 bits are asked for. */
#define _GNU_SOURCE
#include <sys/stat.h>

int stat64(const char *path, struct stat *to) { return stat(path, to); }
int lstat64(const char *path, struct stat *to) { return lstat(path, to); }
int fstat64(int of, struct stat *to) { return fstat(of, to); }
int fstatat64(int folder, const char *path, struct stat *to, int flags) { return fstatat(folder, path, to, flags); }
int __xstat64(int version, const char *path, struct stat *to) { return stat(path, to); }
int __lxstat64(int version, const char *path, struct stat *to) { return lstat(path, to); }
int __fxstat64(int version, int of, struct stat *to) { return fstat(of, to); }

int __fxstatat64(int version, int folder, const char *path, struct stat *to, int flags)
{
	return fstatat(folder, path, to, flags);
}
