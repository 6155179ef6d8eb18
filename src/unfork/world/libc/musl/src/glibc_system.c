/* Parts of device numbers and of the system, by glibc's names. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/sysmacros.h>
#include <unistd.h>

unsigned gnu_dev_major(unsigned long long device) { return major(device); }
unsigned gnu_dev_minor(unsigned long long device) { return minor(device); }
unsigned long long gnu_dev_makedev(unsigned high, unsigned low) { return makedev(high, low); }
int __getpagesize(void) { return getpagesize(); }
long __sysconf(int name) { return sysconf(name); }

char __libc_single_threaded = 1;

/* No memory is kept that could be given back. */
int malloc_trim(size_t kept) { return 0; }

int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *object)
{
	return pthread_atfork(prepare, parent, child);
}

cpu_set_t *__sched_cpualloc(size_t count) { return malloc(CPU_ALLOC_SIZE(count)); }
void __sched_cpufree(cpu_set_t *set) { free(set); }
