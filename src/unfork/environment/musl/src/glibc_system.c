/* Parts of device numbers and of the system, by glibc's names. */
#define _GNU_SOURCE
#include <sys/sysmacros.h>
#include <unistd.h>

unsigned gnu_dev_major(unsigned long long device) { return major(device); }
unsigned gnu_dev_minor(unsigned long long device) { return minor(device); }
unsigned long long gnu_dev_makedev(unsigned high, unsigned low) { return makedev(high, low); }
int __getpagesize(void) { return getpagesize(); }
long __sysconf(int name) { return sysconf(name); }
