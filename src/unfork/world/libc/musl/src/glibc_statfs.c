/* What is known of file systems, by the names that it has where file offsets of 64 bits are asked for. */
#define _GNU_SOURCE
#include <sys/statfs.h>
#include <sys/statvfs.h>

int statfs64(const char *path, struct statfs *to) { return statfs(path, to); }
int fstatfs64(int of, struct statfs *to) { return fstatfs(of, to); }
int statvfs64(const char *path, struct statvfs *to) { return statvfs(path, to); }
int fstatvfs64(int of, struct statvfs *to) { return fstatvfs(of, to); }
