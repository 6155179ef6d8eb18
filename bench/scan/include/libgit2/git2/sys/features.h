/* Stands in for the file that a configure script would write: no threads, no libraries. */
#define GIT_ARCH_64 1
