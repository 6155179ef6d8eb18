/* Limits by the names that they have where file offsets of 64 bits are asked for. */
#define _GNU_SOURCE
#include <sys/resource.h>

int getrlimit64(int what, struct rlimit *limits) { return getrlimit(what, limits); }
int setrlimit64(int what, const struct rlimit *limits) { return setrlimit(what, limits); }
int prlimit64(pid_t of, int what, const struct rlimit *given, struct rlimit *old) { return prlimit(of, what, given, old); }
