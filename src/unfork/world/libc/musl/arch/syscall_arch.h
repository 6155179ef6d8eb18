/* A system call is a call of a function that the engine gives its meaning. There is no vDSO. */
#define __SYSCALL_LL_E(x) (x)
#define __SYSCALL_LL_O(x) (x)

long unfork_syscall(long, long, long, long, long, long, long);

static __inline long __syscall0(long n) { return unfork_syscall(n, 0, 0, 0, 0, 0, 0); }

static __inline long __syscall1(long n, long a) { return unfork_syscall(n, a, 0, 0, 0, 0, 0); }

static __inline long __syscall2(long n, long a, long b) { return unfork_syscall(n, a, b, 0, 0, 0, 0); }

static __inline long __syscall3(long n, long a, long b, long c) { return unfork_syscall(n, a, b, c, 0, 0, 0); }

static __inline long __syscall4(long n, long a, long b, long c, long d)
{
	return unfork_syscall(n, a, b, c, d, 0, 0);
}

static __inline long __syscall5(long n, long a, long b, long c, long d, long e)
{
	return unfork_syscall(n, a, b, c, d, e, 0);
}

static __inline long __syscall6(long n, long a, long b, long c, long d, long e, long f)
{
	return unfork_syscall(n, a, b, c, d, e, f);
}

#define IPC_64 0
