/* For pointers of 32 bits: a system call takes whole words of 64 bits, as on x86-64, whose numbers it has. Pointers
   are filled up with zeros, numbers with their sign. The engine reads structs with pointers or longs at this width. */
#define __SYSCALL_LL_E(x) (x)
#define __SYSCALL_LL_O(x) (x)

#define __scc(X) (__builtin_classify_type(X) == 5 ? (long long)(unsigned long)(X) : (long long)(X))
typedef long long syscall_arg_t;

long unfork_syscall(long long, long long, long long, long long, long long, long long, long long);

static __inline long __syscall0(long long n) { return unfork_syscall(n, 0, 0, 0, 0, 0, 0); }

static __inline long __syscall1(long long n, long long a) { return unfork_syscall(n, a, 0, 0, 0, 0, 0); }

static __inline long __syscall2(long long n, long long a, long long b)
{
	return unfork_syscall(n, a, b, 0, 0, 0, 0);
}

static __inline long __syscall3(long long n, long long a, long long b, long long c)
{
	return unfork_syscall(n, a, b, c, 0, 0, 0);
}

static __inline long __syscall4(long long n, long long a, long long b, long long c, long long d)
{
	return unfork_syscall(n, a, b, c, d, 0, 0);
}

static __inline long __syscall5(long long n, long long a, long long b, long long c, long long d, long long e)
{
	return unfork_syscall(n, a, b, c, d, e, 0);
}

static __inline long __syscall6(long long n, long long a, long long b, long long c, long long d, long long e,
                                long long f)
{
	return unfork_syscall(n, a, b, c, d, e, f);
}

#define IPC_64 0
