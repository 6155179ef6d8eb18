/* The numbers of x86-64's system calls: the kernel is the engine's. */
#include "x86_64-linux-musl/bits/syscall.h"
